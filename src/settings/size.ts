/** Bytes of each unit: decimal units are powers of 1000, binary units powers of 1024. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  KB: 1000,
  MB: 1000 ** 2,
  GB: 1000 ** 3,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** What a size may look like, for messages. */
export const SIZE_FORM = 'a size like 500MB, 2GB, 512MiB or 1000000 (bytes)';

/**
 * Reads a size in bytes: a whole number, or a number with KB, MB, GB, KiB, MiB or GiB (`1.5GB`).
 * `undefined` for anything else, and for sizes beyond `Number.MAX_SAFE_INTEGER`.
 */
export function readSize(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?) ?([KMG]i?B)?$/.exec(String(value)) ?? [];
  const bytes = Number(count) * (UNITS[unit] as number);
  if (unit === '' && !Number.isInteger(bytes)) return undefined;
  return bytes <= Number.MAX_SAFE_INTEGER ? Math.round(bytes) : undefined;
}
