const DAY = 24 * 60 * 60 * 1000;

const BEFORE = '(?:(?:on|by|until|till|from|before|due|due by|starting|bis|ab|pour|para) ){0,2}';
const WORD =
  '(?:the )?(day after tomorrow|end of (?:the|this) month)|(today|tonight|heute|hoy)|(tomorrow|morgen|demain)|(yesterday|gestern|hier|ayer)';
const AFTER =
  '(?=$|[.,;(]| (?:at|by|before|after|in|around|um|à|a las|noon|midnight|morning|afternoon|evening|night|früh)(?![\\p{L}]))';
const RELATIVE = new RegExp(`^(${BEFORE})(?:${WORD})${AFTER}`, 'iu');

/**
 * A value that begins with a day as it is called on another one, "tomorrow at nine", with the day itself, "2026-10-06 at
 * nine": later nobody knows which one was meant.
 *
 * @param time When it was said; without it, the value stays as it is.
 */
export function withDay(value: string, time: string | undefined): string {
  if (time === undefined) return value;
  return value.replace(RELATIVE, (_, before: string, far, today, tomorrow) => {
    return before + dayOf(new Date(time), far, today, tomorrow).toISOString().slice(0, 10);
  });
}

function dayOf(said: Date, far?: string, today?: string, tomorrow?: string): Date {
  const later = (days: number) => new Date(said.getTime() + days * DAY);
  if (far) {
    const isMonth = /month/i.test(far);
    return isMonth ? new Date(Date.UTC(said.getUTCFullYear(), said.getUTCMonth() + 1, 0)) : later(2);
  }
  if (today) return said;
  return later(tomorrow ? 1 : -1);
}
