import { createHash } from 'node:crypto';

/** Characters of an alphabet that look random and are the same in every run. */
export function random(length: number, alphabet = BASE62, seed = 'seed'): string {
  let result = '';
  for (let round = 0; result.length < length; round++) {
    for (const byte of createHash('sha256').update(`${seed} ${round}`).digest()) {
      result += alphabet[byte % alphabet.length];
    }
  }
  return result.slice(0, length);
}

export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const BASE64 = `${BASE62}+/`;
export const HEX = '0123456789abcdef';
