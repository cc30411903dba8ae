import { PlimsollError } from '../../../../errors.ts';
import { withoutCredentials } from '../../../../text/credentials.ts';
import { visibleName } from '../../../../text/visible.ts';
import type { Tail } from './tail.ts';

/** `BAD_ADDRESS` for an address and what is wrong with it; it is shown without its credentials. */
export function badAddress(address: string, what: string): PlimsollError {
  const shown = withoutCredentials(address);
  const start = shown.length > SHOWN_LIMIT ? `${shown.slice(0, SHOWN_LIMIT)}…` : shown;
  return new PlimsollError('BAD_ADDRESS', `${visibleName(start)} ${what}`);
}

const SHOWN_LIMIT = 200;

/** Throws where an address as it was written holds what no address does. */
export function checkCharacters(address: string): void {
  if (FOREIGN.test(address) || !address.isWellFormed()) {
    const remedy = 'a space in a name is written as %20';
    throw badAddress(address, `holds white space, a backslash or a control character: ${remedy}.`);
  }
}

const CONTROL = /[\0-\x1f\x7f]/;
const FOREIGN = /[\s\0-\x1f\x7f\\]/;

/** A part of an address without its percent-encoding. Throws where that is malformed or hides a control. */
export function decode(part: string, address: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    throw badAddress(address, 'has a % that is not part of an encoded character: write it as %25.');
  }
  if (CONTROL.test(decoded)) throw badAddress(address, 'holds an encoded control character: take it out.');
  return decoded;
}

/** Throws where a host, with its port, or a user can be none, or might be taken for an option of a program. */
export function checkHost(address: string, host: string, user: string): void {
  if (!HOST.test(host)) throw badAddress(address, 'has no host, or none that can be: check its spelling.');
  if (user.startsWith('-')) throw badAddress(address, 'has a user name that begins with a dash: check it.');
}

const HOST = /^(?:\[[\da-f:.]+\]|\w[\w.-]*)(?::\d+)?$/i;

/** Throws where a path on a host, decoded, climbs out of where it is. */
export function checkPath(address: string, path: string): void {
  if (DOTS.test(path)) throw badAddress(address, 'has `.` or `..` in its path: write the path without it.');
}

const DOTS = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** Throws where a part of a repository's path might be taken for an option of a program. */
export function checkDashes(address: string, path: string): void {
  if (DASH.test(path)) throw badAddress(address, DASHED);
}

const DASH = /(?:^|\/)-/;
const DASHED = 'has a name that begins with a dash, which a program could take for an option: check it.';

/** The same for a ref. */
export function checkTail(address: string, tail: Tail | undefined): void {
  if (tail === undefined || tail.kind === 'pull' || tail.kind === 'page') return;
  const ref = tail.kind === 'commit' ? tail.commit : tail.kind === 'tag' ? tail.tag : tail.path;
  if (ref.startsWith('-')) throw badAddress(address, DASHED);
}
