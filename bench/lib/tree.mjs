import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

const PAGE_KB = 4;
const EVERY_MS = 5;

/**
 * Runs a command once and samples its whole process tree every 5 ms (Linux). Returns the largest sum of the
 * resident sets of all its processes, in KiB; pages that processes share count once for each of them.
 */
export async function treePeakKb({ command, cwd, env = {} }) {
  const child = spawn(command[0], command.slice(1), {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentKb(child.pid));
  }, EVERY_MS);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  if (code !== 0) throw new Error(`exit ${code}: ${command.join(' ')}`);
  return peak;
}

function residentKb(pid) {
  try {
    let sum = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_KB;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8');
      for (const child of children.split(' ')) if (child) sum += residentKb(child);
    }
    return sum;
  } catch {
    return 0; // the process has just ended
  }
}
