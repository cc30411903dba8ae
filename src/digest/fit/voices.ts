import type { Offer } from './fit.ts';

/** Characters for which a voice is worth hearing. */
const LEAST_ROOM = 180;

/** For each package the first that can speak for it. One may speak for several. */
export function voicesAmong(offers: Iterable<Offer>): ReadonlySet<Offer> {
  const heard = new Set<string>();
  const voices = new Set<Offer>();
  for (const offer of offers) {
    for (const name of offer.speaksFor ?? []) {
      if (heard.has(name)) continue;
      heard.add(name);
      voices.add(offer);
    }
  }
  return voices;
}

/** What each of so many voices may take; nothing where that is too little to be worth it. */
export function roomOfVoice(voices: number, room: number): number | undefined {
  const own = Math.floor(room / voices);
  return own >= LEAST_ROOM ? own : undefined;
}
