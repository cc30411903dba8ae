/** The options of `plimsoll wrap` that take no value. */
const WITHOUT_VALUE = [
  '--join-blocks',
  '--no-join-blocks',
  '--no-tools',
  '--no-resources',
  '--no-prompts',
  '--verbose',
];

/** What is told to `plimsoll wrap`. */
export interface Words {
  /** The values of options, by the options' names. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  /** The server's command and its arguments. */
  readonly operands: readonly string[];
}

/** Reads what stands after `plimsoll wrap`, as that reads it. */
export function wordsOf(words: readonly string[]): Words {
  const options = new Map<string, string[]>();
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (!/^-./.test(word)) {
      operands.push(word);
      continue;
    }
    const [, name = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? /^(-[^-])(.+)$/s.exec(word) ?? [];
    if (WITHOUT_VALUE.includes(name)) continue;
    options.set(name, [...(options.get(name) ?? []), value ?? words[++at] ?? '']);
  }
  return { options, operands };
}

/** Whether a word of a command line runs this program, wherever that is installed. */
export function isPlimsoll(word: string): boolean {
  return (
    /(?:^|[\\/])plimsoll(?:@[^\\/]*?)?(?:\.(?:cmd|exe|ps1))?$/i.test(word) ||
    /(?:^|[\\/])plimsoll[\\/]dist[\\/]cli[\\/]main\.js$/i.test(word)
  );
}
