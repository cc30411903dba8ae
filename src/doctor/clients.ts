import { accessSync, constants } from 'node:fs';
import { isAbsolute } from 'node:path';
import { PlimsollError } from '../errors.ts';
import { CLIENTS, type Client, type Machine } from '../install/clients.ts';
import { commandLineOf, servedBy } from '../install/entry.ts';
import { fileOf, isClientHere, ownServer, readConfiguration } from '../install/plan.ts';
import type { Limit } from '../measure/limit.ts';
import { group } from '../text/words.ts';
import { profileCalled } from '../wrap/clients.ts';
import type { Launcher } from '../wrap/config/entry.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The clients that are on this machine: whether they have the server, and how much of a result each takes. */
export async function checkClients(machine: Machine, launcher: Launcher): Promise<Finding[]> {
  const found = await Promise.all(CLIENTS.map((client) => checkClient(client, machine, launcher)));
  const here = found.filter((finding) => finding !== undefined);
  if (here.length > 0) return here;
  return [warn('clients', 'none is known to be on this machine', 'See plimsoll install --help.')];
}

async function checkClient(
  client: Client,
  machine: Machine,
  launcher: Launcher,
): Promise<Finding | undefined> {
  const { id, name } = client;
  const install = `plimsoll install ${id}`;
  try {
    if (!(await isClientHere(client, machine))) return undefined;
    const file = await fileOf(client, machine);
    const own = ownServer(await readConfiguration(client, file), launcher);
    if (!own) return ok(name, `it is here, without Plimsoll (${install} adds it); ${capOf(client)}`);
    const [, entry] = own;
    const missing = missingIn(commandLineOf(entry).slice(0, servedBy(entry, launcher)?.launcher.length));
    if (missing !== undefined) {
      return fail(name, `Plimsoll in ${file} can't start: ${missing} is not there`, `Run ${install}.`);
    }
    const isOff = entry.disabled === true || entry.enabled === false;
    if (isOff) return warn(name, `Plimsoll in ${file} is turned off`, 'Turn it on there.');
    return ok(name, `it has Plimsoll, in ${file}; ${capOf(client)}`);
  } catch (error) {
    if (!(error instanceof PlimsollError)) throw error;
    return warn(name, error.message, `Correct that, then run ${install}.`);
  }
}

/** The first of the files that start a server which is not there. */
function missingIn(words: readonly string[]): string | undefined {
  return words.filter(isAbsolute).find((file) => {
    try {
      accessSync(file, constants.F_OK);
      return false;
    } catch {
      return true;
    }
  });
}

function capOf({ profile }: Client): string {
  const { cap, limit } = profileCalled(profile);
  const stay = `results stay within ${inWords(limit)}`;
  return cap ? `it takes ${inWords(cap)}, ${stay}` : `no cap of its own is known, ${stay}`;
}

function inWords({ chars, bytes, tokens, lines }: Partial<Limit>): string {
  const counts = { bytes, tokens, lines };
  const others = Object.entries(counts).flatMap(([unit, count]) =>
    count === undefined ? [] : [`${group(count)} ${unit}`],
  );
  const isOnlyDerived = bytes !== undefined && chars === bytes;
  return [...(chars === undefined || isOnlyDerived ? [] : [`${group(chars)} characters`]), ...others].join(
    ' and ',
  );
}
