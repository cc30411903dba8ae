#!/usr/bin/env node
import { version } from '../version.ts';

const args = process.argv.slice(2);

// A reader that goes away early (`| head`) is no fault; who writes learns of it from the write's callback.
process.stdout.on('error', () => {});

// Whoever asks for the version must not wait for code that parses commands.
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${version}\n`);
} else {
  const { run } = await import('./run.ts');
  process.exitCode = await run(args);
}
