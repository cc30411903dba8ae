/** A key as it stands in a JSON pointer (RFC 6901, section 3). */
export function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
