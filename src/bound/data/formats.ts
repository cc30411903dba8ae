/** Formats that are an address, and that the address of what was kept is one of too. */
const ADDRESSES = new Set(['uri', 'uri-reference', 'iri', 'iri-reference']);

/** Formats whose values are short in practice. */
const SHORT = new Set([
  'date',
  'time',
  'date-time',
  'iso-time',
  'iso-date-time',
  'duration',
  'email',
  'idn-email',
  'hostname',
  'idn-hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'relative-json-pointer',
]);

/** Other formats whose values have a form that a cut would break. */
const OTHERS = new Set(['url', 'uri-template', 'json-pointer', 'json-pointer-uri-fragment', 'regex']);

/**
 * What a string of a format may become: `free` formats (unknown ones, passwords, prose) don't mind a cut, `address`es
 * may become another address, `base64` may become empty, the rest stays as it is, `short` or of any length (`rigid`).
 * The names are those of JSON Schema 2020-12 (validation, section 7.3) and of ajv-formats.
 */
export function formatKind(format: unknown): 'free' | 'address' | 'base64' | 'short' | 'rigid' {
  if (typeof format !== 'string') return 'free';
  if (ADDRESSES.has(format)) return 'address';
  if (format === 'byte') return 'base64';
  if (SHORT.has(format)) return 'short';
  return OTHERS.has(format) ? 'rigid' : 'free';
}
