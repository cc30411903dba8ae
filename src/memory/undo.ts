import { PlimsollError } from '../errors.ts';
import { oneLine, shortLine } from './answers/frame.ts';
import { type Document, readDocument } from './context/document.ts';
import { Draft } from './context/edit.ts';
import { shownKey, splitKey } from './context/keys.ts';
import { EditMaker } from './journal/edits.ts';
import { concerns, isAsLeft } from './journal/history.ts';
import type { Change, Edit } from './journal/journal.ts';
import { spliced } from './journal/splice.ts';
import { type Base, hashOf, jsonAt } from './scope.ts';
import { isSameOrNone } from './value.ts';

/** How much of a value is shown, in UTF-16 code units. */
const SHOWN = 80;

/**
 * What takes a change back, of which `later` are the changes since, the newest first: to the byte if the file is as the
 * change left it, otherwise what stood at its keys comes back to where it stood. Throws `CHANGE_OUTDATED` if one of its
 * keys holds something else by now, and `KEY_TAKEN` if a value is in the place of a section around one.
 */
export function takeBack(
  change: Change,
  { document, hash }: Base,
  later: readonly Change[],
): { readonly bytes: Buffer; readonly edits: readonly Edit[] } {
  const maker = new EditMaker(document);
  const edits = change.edits.map((edit) => {
    const present = jsonAt(document, edit.key);
    if (!isSameOrNone(present, edit.after)) throw outdated(change.change, edit, present, later);
    return maker.edit(splitKey(edit.key), edit.before);
  });
  const bytes = hash === change.to ? bytesBefore(change, document) : undefined;
  return { bytes: bytes ?? withoutEdits(document, change.edits), edits };
}

/** What the file held before a change, where that can be told to the byte. */
function bytesBefore({ back, from }: Change, document: Document): Buffer | undefined {
  const bytes = back && spliced(document.bytes, back);
  const isRight =
    bytes && (from === '' ? bytes.equals(readDocument(undefined).bytes) : hashOf(bytes) === from);
  return isRight ? bytes : undefined;
}

function withoutEdits(document: Document, edits: readonly Edit[]): Buffer {
  const draft = new Draft(document);
  for (const { key, before, made, follows, earlier } of edits) {
    const path = splitKey(key);
    if (before === undefined) draft.remove(path, made === undefined ? undefined : splitKey(made));
    else draft.restore(path, { json: before, follows, earlier });
  }
  return draft.finish();
}

function outdated(
  number: number,
  { key, after }: Edit,
  present: string | undefined,
  later: readonly Change[],
): PlimsollError {
  const by = later.find((change) => change.void === undefined && concerns(change, key));
  const how = by && isAsLeft(present, key, later, after) ? `by change ${by.change}` : 'by hand';
  const now =
    present === undefined
      ? `${shownKey(key)} was deleted`
      : `${shownKey(key)} is ${shortLine(oneLine(present), SHOWN)} now`;
  return new PlimsollError(
    'CHANGE_OUTDATED',
    `Change ${number} can't be taken back: ${now}, ${how}. Nothing was changed; set what you want with plimsoll memory set.`,
  );
}

/** That no change with that number can be taken back, and why. */
export function noChange(number: number | string, why = 'plimsoll memory log lists them'): PlimsollError {
  return new PlimsollError('CHANGE_NOT_FOUND', `There is no change ${number} to take back: ${why}.`);
}
