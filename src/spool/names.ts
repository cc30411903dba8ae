import { randomBytes } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const NAME = /^[a-z2-7]{16}$/;

/** A new name for a session or a handle: 80 random bits as 16 digits of base32 (RFC 4648) in lower case. */
export function newName(): string {
  let bits = 0n;
  for (const byte of randomBytes(10)) bits = (bits << 8n) | BigInt(byte);
  let name = '';
  for (let digit = 0; digit < 16; digit++, bits >>= 5n) name += ALPHABET[Number(bits & 31n)];
  return name;
}

/** Whether `name` could be a session's or a handle's. One that is can stand in a path. */
export function isName(name: string): boolean {
  return NAME.test(name);
}
