/** Milliseconds of each unit. */
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, '': 86_400_000 };

/** The longest age, in milliseconds: ten years. */
const LONGEST = 3653 * 86_400_000;

/** What an age may look like, for messages. */
export const AGE_FORM = 'a number of days above 0 and up to 3653, like 7, or a time like 12h or 30m';

/**
 * Reads an age in milliseconds: a number of days, or a number with `m`, `h` or `d` for minutes, hours and days.
 * `undefined` for anything else, for zero, and for more than ten years.
 */
export function readAge(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?) ?([mhd])?$/.exec(String(value)) ?? [];
  const age = Math.round(Number(count) * (UNITS[unit] as number));
  return age > 0 && age <= LONGEST ? age : undefined;
}
