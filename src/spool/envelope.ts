/** The part with what is left of a result when the other parts are taken out. */
export const ENVELOPE = 'result';

/** The one key of the object that stands in the envelope where a part stood. */
export function standInKey(handle: string): string {
  return `plimsoll-part-${handle}`;
}
