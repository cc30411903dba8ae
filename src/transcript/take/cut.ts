import { redactSpoken, type SecretFound } from '../../secrets/secrets.ts';
import { cutHead, cutTail } from '../../text/cut.ts';

export interface Kept {
  readonly text: string;
  readonly isCut: boolean;
  /** How many secrets were masked in it. */
  readonly secrets: number;
}

/** The start of a text has so much of the room, its end the rest. */
const HEAD_SHARE = 2 / 3;

/** Secrets are looked for so far beyond what is kept, so that none is seen in half: no key is longer, in UTF-16 code units. */
const BEYOND = 33_000;

/** A text with its secrets masked; if it is longer than `most` UTF-16 code units, only its head and tail. */
export async function maskedAndCut(text: string, most: number): Promise<Kept> {
  if (text.length <= most) {
    const { text: masked, found } = await redactSpoken(text);
    return { text: masked, isCut: false, secrets: found.length };
  }
  const head = cutHead(text, Math.floor(most * HEAD_SHARE));
  const tail = cutTail(text, most - head.length);
  const start = text.length - tail.length;
  const before = await maskedTo(text.slice(0, head.length + BEYOND), head.length);
  const from = Math.max(0, start - BEYOND);
  const after = await maskedFrom(text.slice(from), start - from);
  const gap = `[… ${start - head.length} characters left out …]`;
  return {
    text: `${before.text}${before.text.endsWith('\n') ? '' : '\n'}${gap}\n${after.text}`,
    isCut: true,
    secrets: before.secrets + after.secrets,
  };
}

type Masked = Pick<Kept, 'text' | 'secrets'>;

/** The masked text up to a place of the original one. A secret that it stands in is there as a whole, masked. */
async function maskedTo(text: string, end: number): Promise<Masked> {
  const { text: masked, found } = await redactSpoken(text);
  const within = placed(found).filter(({ from }) => from < end);
  const last = within.at(-1);
  if (!last) return { text: masked.slice(0, end), secrets: 0 };
  const beyond = Math.max(0, end - last.from - last.replaced);
  return { text: masked.slice(0, last.at + last.length + beyond), secrets: within.length };
}

async function maskedFrom(text: string, start: number): Promise<Masked> {
  const { text: masked, found } = await redactSpoken(text);
  const within = placed(found).filter(({ from, replaced }) => from + replaced > start);
  const first = within[0];
  if (!first) return { text: masked.slice(masked.length - (text.length - start)), secrets: 0 };
  const ahead = Math.max(0, first.from - start);
  return { text: masked.slice(first.at - ahead), secrets: within.length };
}

/** Secrets with the place in the original text where they begin. */
function placed(found: readonly SecretFound[]): (SecretFound & { readonly from: number })[] {
  let grown = 0;
  return found.map((secret) => {
    const from = secret.at - grown;
    grown += secret.length - secret.replaced;
    return { ...secret, from };
  });
}
