import type { Role } from '../turn.ts';

/** Who is said to speak, and what stands behind the name in its line. */
export interface Named {
  readonly name: string;
  readonly text: string;
}

/** A name of up to four words, and a colon. */
const NAMED =
  /^\[?(\p{L}[\p{L}\p{M}\p{N}.'’_-]*(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}.'’_-]*){0,3})\]?[:：](?:\s+(.*)|)$/u;
const LONGEST_NAME = 40;

/** The speaker that a line of text begins with: `Mara Lind: The hull is done.` */
export function namedIn(line: string): Named | undefined {
  const [, name = '', text = ''] = NAMED.exec(line.trim()) ?? [];
  return name === '' || name.length > LONGEST_NAME ? undefined : { name, text };
}

export const isPersonsName = (name: string) => /^[^\p{Ll}]/u.test(name);

/** The names of persons among what lines begin with. */
export function namesIn(starts: readonly (Named | undefined)[]): string[] {
  return starts.flatMap((start) => (start && isPersonsName(start.name) ? [start.name] : []));
}

const WORDS: Readonly<Record<Role, RegExp>> = {
  person: /^(?:user|human|me|you)$/i,
  assistant:
    /^(?:assistant|ai|bot|model|chatgpt|gpt(?:-[\w.]+)?|claude|gemini|copilot|cursor|codex|llama|mistral|grok|deepseek)$/i,
  tool: /^(?:tool|function|tool (?:result|output))$/i,
  system: /^system(?: prompt)?$/i,
};

/** The role that a word for a speaker tells; `undefined` for a name of a person. */
export function roleIn(word: string): Role | undefined {
  return (Object.keys(WORDS) as Role[]).find((role) => WORDS[role].test(word));
}
