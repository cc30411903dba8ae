import { createHash } from 'node:crypto';
import { redactSpoken } from '../../secrets/secrets.ts';
import { withoutControls } from '../../text/controls.ts';
import type { Role, Turn } from '../turn.ts';
import { maskedAndCut } from './cut.ts';
import { Newest } from './newest.ts';
import { withoutRecalled } from './recalled.ts';
import type { NoRoom, Taken, Taking } from './taken.ts';

export interface TakeOptions {
  /** Fingerprints of turns that were digested before. */
  readonly known: ReadonlySet<string>;
  /** How much is taken in all, in UTF-16 code units. */
  readonly budget?: number | undefined;
}

const BUDGET = 8 * 1024 * 1024;

/** What a turn takes besides its text, in UTF-16 code units. */
const OVERHEAD = 60;

type Tier = Exclude<Role, 'system'>;

/** Who comes first if there isn't room for all. */
const TIERS: readonly Tier[] = ['person', 'assistant', 'tool'];

/** So much is read of a turn, in UTF-16 code units. */
const MOST: Readonly<Record<Tier, number>> = { person: 16_000, assistant: 4000, tool: 600 };

/**
 * The turns of a transcript that are read for facts: those that are new, as far as there is room. What persons say comes
 * first, then the assistant, and tools last; of each the newest.
 */
export async function take(
  turns: AsyncIterable<Turn>,
  { known, budget = BUDGET }: TakeOptions,
): Promise<Taking> {
  const shelf = new Shelf(budget);
  const counts = { read: 0, known: 0, injected: 0 };
  let injectedLine = 0;
  const names = new Fingerprints();
  for await (const turn of turns) {
    counts.read++;
    const fingerprint = names.of(turn);
    const text = turn.role === 'system' ? '' : withoutControls(withoutRecalled(turn));
    if (known.has(fingerprint)) counts.known++;
    else if (turn.role === 'system' || text.trim() === '') {
      counts.injected++;
      injectedLine ||= turn.line;
    } else if (!shelf.hasRoomFor(turn.role, text)) shelf.leave(turn.role, turn.line);
    else shelf.add(await pieceOf(turn, { role: turn.role, text, fingerprint, at: counts.read }));
  }
  const pieces: Masked[] = [];
  for (const piece of shelf.pieces()) pieces.push(await masked(piece));
  return {
    turns: pieces.map(({ turn }) => turn),
    counts: {
      ...counts,
      cut: pieces.filter(({ isCut }) => isCut).length,
      secrets: pieces.reduce((sum, { secrets }) => sum + secrets, 0),
    },
    leftOut: shelf.leftOut(),
    injectedLine,
  };
}

/** What turns are known by: those that tell neither id nor time by their place among equal ones. */
class Fingerprints {
  readonly #equals = new Map<string, number>();

  of({ id, time, role, speaker, text }: Turn): string {
    const first = fingerprintOf([id !== undefined, id, role, time, speaker], text);
    if (id !== undefined || time !== undefined) return first;
    const before = this.#equals.get(first) ?? 0;
    this.#equals.set(first, before + 1);
    return before === 0 ? first : fingerprintOf([first, before], text);
  }
}

function fingerprintOf(head: readonly unknown[], text: string): string {
  return createHash('sha256').update(JSON.stringify(head)).update(text).digest('base64url').slice(0, 12);
}

/** A turn as it is kept while newer ones may still take its room. */
interface Piece extends Taken {
  readonly role: Tier;
  readonly isCut: boolean;
  /** How many secrets are masked in it; those of a text that isn't cut are masked at the end. */
  readonly secrets: number;
  /** Its place in the file. */
  readonly at: number;
}

/** Every property is spelled out: V8 would keep a shape for each object that is made by spreading another one. */
async function pieceOf(
  { line, id, time, speaker, conversation }: Turn,
  { role, text: whole, fingerprint, at }: Pick<Piece, 'role' | 'text' | 'fingerprint' | 'at'>,
): Promise<Piece> {
  const isLong = whole.length > MOST[role];
  const { text, isCut, secrets } = isLong
    ? await maskedAndCut(whole, MOST[role])
    : { text: whole, isCut: false, secrets: 0 };
  const own = copyOf(text);
  return { role, text: own, line, id, time, speaker, conversation, fingerprint, isCut, secrets, at };
}

interface Masked {
  readonly turn: Taken;
  readonly isCut: boolean;
  readonly secrets: number;
}

async function masked(piece: Piece): Promise<Masked> {
  const { role, line, id, time, fingerprint, isCut } = piece;
  const nameOf = async (name: string | undefined) => name && (await redactSpoken(withoutControls(name))).text;
  const speaker = await nameOf(piece.speaker);
  const conversation = await nameOf(piece.conversation);
  const { text, secrets } = isCut ? piece : await maskedAndCut(piece.text, MOST[role]);
  return { turn: { role, text, line, id, time, speaker, conversation, fingerprint }, isCut, secrets };
}

/** A text of its own: a slice would keep in memory all that it is a slice of. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** Pieces that have room beside each other, by tier. */
class Shelf {
  readonly #budget: number;
  readonly #tiers: Readonly<Record<Tier, Newest<Piece>>> = {
    person: new Newest(),
    assistant: new Newest(),
    tool: new Newest(),
  };
  readonly #leftOut = new Map<Tier, NoRoom>();

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** Whether there is room for a turn, if older ones of its tier make way. */
  hasRoomFor(tier: Tier, text: string): boolean {
    return Math.min(text.length, MOST[tier]) + OVERHEAD <= this.#roomOf(tier);
  }

  add(piece: Piece): void {
    this.#tiers[piece.role].push(piece, piece.text.length + OVERHEAD);
    for (const tier of TIERS) {
      const dropped = this.#tiers[tier].shrink(this.#roomOf(tier));
      for (const { line } of dropped) this.leave(tier, line);
    }
  }

  /** Counts a turn that is left out. */
  leave(role: Tier, line: number): void {
    const { count, line: first } = this.#leftOut.get(role) ?? { count: 0, line };
    this.#leftOut.set(role, { role, count: count + 1, line: Math.min(first, line) });
  }

  /** In the order of the file. */
  pieces(): Piece[] {
    return TIERS.flatMap((tier) => this.#tiers[tier].all()).sort((one, other) => one.at - other.at);
  }

  leftOut(): NoRoom[] {
    return TIERS.map((tier) => this.#leftOut.get(tier)).filter((left) => left !== undefined);
  }

  /** What those that come before it leave to a tier. */
  #roomOf(tier: Tier): number {
    return TIERS.slice(0, TIERS.indexOf(tier)).reduce(
      (room, one) => room - this.#tiers[one].size,
      this.#budget,
    );
  }
}
