import { visibleName } from '../../text/visible.ts';

/**
 * Whether a name has characters that nobody can see, so that it could be taken for another one, or has nothing but
 * blanks: controls and lone surrogates, and what Unicode has ignored in display (Default_Ignorable_Code_Point).
 *
 * Not counted are those that change how their neighbours look: joiners between letters of scripts without case, as
 * Persian and Hindi have them (UAX #31, section 2.3); variation selectors after a sign that has variants; what emoji are
 * made of (UTS #51, ED-16).
 */
export function hasUnseen(name: string): boolean {
  return BLANK.test(name) || visibleName(name) !== name || IGNORABLE.test(name.replace(SHAPING, ''));
}

/** A name with the numbers of the characters in it that nobody can see: `<U+200B>`. */
export function withUnseen(name: string): string {
  return visibleName(name).replace(SHAPING_OR_UNSEEN, (found, unseen: string | undefined) => {
    if (unseen === undefined) return found;
    return `<U+${(unseen.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;

/** White space, and the braille pattern without dots. */
const BLANK = /^[\s\u2800]*$/;

const SHAPING = new RegExp(
  [
    // Flags of regions: tags after a black flag.
    String.raw`(?<=\u{1f3f4})[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
    String.raw`(?<=[\p{Lo}\p{M}])[\u200c\u200d](?=[\p{Lo}\p{M}])`,
    String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
    // Before U+20E3, the keycap, after a digit.
    String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
    String.raw`(?<=[\p{Lo}\p{So}\p{Extended_Pictographic}])[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
  ].join('|'),
  'gu',
);

const SHAPING_OR_UNSEEN = new RegExp(
  String.raw`${SHAPING.source}|(\p{Default_Ignorable_Code_Point}|\u2800)`,
  'gu',
);
