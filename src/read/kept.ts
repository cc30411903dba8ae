import { PlimsollError } from '../errors.ts';
import { isCutFact } from '../spool/manifest.ts';
import type { Spool } from '../spool/spool.ts';
import type { Kept, Origin } from '../spool/types.ts';
import { oneLine, shortened } from './parts.ts';

/**
 * The kept result of a handle. Throws `NOT_IN_SPOOL` if there is none; of one that was there, the message has the call
 * that makes it again. `hint` says where to look.
 */
export async function keptBy(spool: Pick<Spool, 'find'>, handle: string, hint: string): Promise<Kept> {
  const found = await spool.find(handle);
  if (found && 'kept' in found) return found.kept;
  throw new PlimsollError(
    'NOT_IN_SPOOL',
    found
      ? `Result ${handle} has expired. ${oneLine(again(found.expired))}`
      : `There is no result '${shortened(handle)}' in the spool. ${hint}`,
  );
}

function again({ kind, name, server, arguments: json }: Origin): string {
  if (kind === 'text' || name === undefined) return 'It has to be made again.';
  const what = { tool: 'call', resource: 'read the resource', prompt: 'get the prompt' }[kind];
  const where = server === undefined ? '' : ` of ${server}`;
  const cut = [
    ...(isCutFact(name) ? ['its name'] : []),
    ...(json && isCutFact(json) ? ['its arguments'] : []),
  ];
  const part = cut.length > 0 ? ` (Of ${cut.join(' and ')} only the start was kept.)` : '';
  return `To make it again, ${what} ${name}${json === undefined ? '' : ` ${json}`}${where}.${part}`;
}
