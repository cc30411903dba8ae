import { setImmediate } from 'node:timers/promises';
import { type Held, type HeldObject, isHeldObject, LongText } from '../../json/held.ts';
import { pointerToken } from '../../json/pointer.ts';
import { shrink, smallest } from '../data/shrink.ts';
import { placed } from '../facts.ts';
import { cutText } from '../text/cut.ts';
import { jsonLike } from '../text/json.ts';
import type { Cost, Gap, Words } from '../types.ts';
import { addressOf, rewrittenWords, shortWords, wordsFor } from '../words.ts';
import type { Plan } from './plan.ts';
import { escapedCost, linesTaken, type Site } from './sites.ts';
import { objectWithNotice, withNotice } from './tell.ts';

/** What a value became, and what is missing of it; the value is undefined if nothing of it may stay. */
export interface Cut {
  readonly value: Held | undefined;
  readonly gaps: readonly Gap[];
  /** Whether its root says what is missing in all, and where the whole is. */
  readonly hasNotice?: boolean | undefined;
}

/** How much there is for each value, and for all. */
export interface Room {
  /** For a value of a block, or beside them. */
  readonly level: number;
  /** For a value of a block that is for the user only. */
  readonly userLevel: number;
  /** For `structuredContent`. */
  readonly data: number;
  readonly chars: number;
  readonly lines: number | undefined;
}

/** With less room than this, in characters, words are short, so that they leave some of it. */
const LITTLE = 1_200;

/** Cuts every value to its room. Whatever else waits has its turn between them. */
export async function cutAll(plan: Plan, sites: readonly Site[], room: Room): Promise<Map<Site, Cut>> {
  const cuts = new Map<Site, Cut>();
  const { structured, mirror } = plan;
  for (const site of sites) {
    if (site === structured || site === mirror?.site) continue;
    const cut = cutSite(plan, site, room);
    cuts.set(site, cut);
    if (cut.value !== site.original) await setImmediate();
  }
  if (!structured) return cuts;
  await setImmediate();
  const same = mirror && sites.includes(mirror.site) ? cutAlike(plan, structured, mirror, room) : undefined;
  const [data, text] = same ?? [cutStructured(plan, structured, room)];
  cuts.set(structured, data);
  if (mirror && sites.includes(mirror.site)) {
    cuts.set(mirror.site, text ?? mirrored(plan, data, mirror, room));
  }
  return cuts;
}

/**
 * A text that stands in `structuredContent` too, as its one value: cut once, the same in both, if the schema lets it.
 */
function cutAlike(
  plan: Plan,
  structured: Site,
  { site, form }: NonNullable<Plan['mirror']>,
  room: Room,
): [structured: Cut, text: Cut] | undefined {
  if (form !== 'text' || !isHeldObject(structured.original)) return undefined;
  const [key = ''] = Object.keys(structured.original);
  const { value, gaps } = cutSite(plan, site, room);
  if (value === undefined) return undefined;
  const data = Object.assign(Object.create(null), { [key]: value });
  if (plan.options.schema?.validate(data) === false) return undefined;
  const at = `/${pointerToken(key)}`;
  return [
    {
      value: gaps.length === 0 ? structured.original : data,
      gaps: gaps.map((gap) => placed(gap, at, false)),
    },
    { value, gaps: [] },
  ];
}

function cutSite(plan: Plan, site: Site, room: Room): Cut {
  const { original } = site;
  const { lines } = room;
  const level = plan.forUser.has(site) ? room.userLevel : room.level;
  const long = wordsOf(plan, site);
  const { kept, options, ends } = plan;
  const alone = ends.has(site) ? { original: plan.earlier?.original } : undefined;
  const words = level < LITTLE ? shortWords(long, kept, options.readers, alone) : long;
  if (site.kind === 'text') {
    const text = original as string | LongText;
    const isWhole =
      typeof text === 'string' && site.need <= level && (lines === undefined || linesTaken(text) <= lines);
    if (isWhole) return { value: text, gaps: [] };
    const part = plan.partAt(site.at);
    const cut = cutText({
      text,
      room: level,
      cost: escapedCost,
      tailShare: plan.tailShare,
      words,
      part,
      maxLines: lines,
    });
    if (!cut) return replaced(site, words);
    return cut.gaps.length > 0 || cut.text === text
      ? { value: cut.text, gaps: cut.gaps }
      : rewritten(plan, site, cut.text);
  }
  const cost = costWithin(original, level, lines);
  const cut = shrink(original, level, { words, cost, tailShare: plan.tailShare, keeps: site.keeps });
  return cut ? { value: cut.value, gaps: cut.gaps } : replaced(site, words);
}

/** `structuredContent` within its schema. It gets more than its share where it can't be as small as that. */
function cutStructured(plan: Plan, site: Site, { data, chars, lines }: Room): Cut {
  const { tailShare } = plan;
  const { schema } = plan.options;
  const words = wordsOf(plan, site);
  const uri = 'reason' in plan.kept ? undefined : addressOf(plan.kept, plan.partAt(site.at) ?? 'result');
  for (const room of [data, Math.floor(chars / 2), Math.floor(chars * 0.8)]) {
    if (room < data) continue;
    const cost = costWithin(site.original, room, lines);
    const cut = shrink(site.original, room, { words, cost, schema, uri, tailShare });
    if (cut) return cut;
  }
  return { value: undefined, gaps: [site.whole] };
}

/** What JSON costs that may have so many lines, if that is less than it has: each of them a share of the room. */
export function costWithin(value: Held, room: number, lines: number | undefined): Cost | undefined {
  if (lines === undefined || linesTaken(value) <= lines) return undefined;
  const share = Math.ceil(room / lines);
  return (json) => json.length + share * (json.match(/\\n/g)?.length ?? 0);
}

/** The text that mirrors `structuredContent` once that is cut: the same again, with a notice if there is none within. */
function mirrored(plan: Plan, data: Cut, { site, form }: NonNullable<Plan['mirror']>, room: Room): Cut {
  if (data.gaps.length === 0) return { value: site.original, gaps: [] };
  if (data.value === undefined || form === 'text') return { ...cutSite(plan, site, room), gaps: [] };
  const structured = plan.structured as Site;
  const key = form === 'wrapped' ? Object.keys(structured.original as HeldObject)[0] : undefined;
  const value = key === undefined ? data.value : ((data.value as HeldObject)[key] ?? null);
  const said = data.hasNotice && key === undefined;
  const told = said ? value : toldIn(plan, value, data.gaps, key, room);
  const { original } = site;
  const head = original instanceof LongText ? original.head : String(original);
  return { value: jsonLike(head, told), gaps: [] };
}

/** A part of `structuredContent`, a field or all of it, with a notice of what is missing if it is a list or an object. */
function toldIn(
  plan: Plan,
  value: Held,
  gaps: readonly Gap[],
  key: string | undefined,
  { data }: Room,
): Held {
  const { kept, options, earlier } = plan;
  const long = wordsOf(plan, plan.structured as Site);
  const alone = { original: earlier?.original };
  const words = data < LITTLE ? shortWords(long, kept, options.readers, alone) : long;
  const notice = words.notice(gaps);
  if (isHeldObject(value)) return objectWithNotice(value, notice);
  if (!Array.isArray(value)) return value;
  const at = key === undefined ? '' : `/${pointerToken(key)}`;
  const first = gaps.find((gap) => gap.at === at && gap.unit === 'items');
  return value.toSpliced(first?.from ?? 0, 0, notice);
}

/** The words for what is missing of a value. */
export function wordsOf({ kept, options: { readers }, partAt, earlier }: Plan, site: Site): Words {
  const place = {
    at: site.at,
    part: partAt(site.at),
    isData: site.kind !== 'text',
    earlier,
    partAt: (at: string) => partAt(site.at + at),
  };
  return wordsFor(place, kept, readers);
}

/** JSON that fits once it is written anew, without its white space: what is gone is told all the same. */
function rewritten({ kept, options: { readers }, partAt }: Plan, site: Site, text: string): Cut {
  const { of, bytes, lines: _, ...gap } = site.whole;
  const lost = {
    ...gap,
    of,
    to: of,
    chars: Math.max(0, of - text.length),
    bytes: Math.max(0, bytes - Buffer.byteLength(text)),
  };
  return { value: withNotice(text, rewrittenWords(lost, partAt(site.at), kept, readers)), gaps: [lost] };
}

/** A site of which there is no room for anything but the fields that stay. */
function replaced({ original, keeps, whole: gap }: Site, words: Words): Cut {
  if (keeps) return smallest(original, { words, keeps });
  return { value: words.brief(gap), gaps: [gap] };
}

/** A value of which nothing is there. */
export function emptied({ kind }: Site): Cut {
  return { value: kind === 'structured' ? null : '', gaps: [] };
}
