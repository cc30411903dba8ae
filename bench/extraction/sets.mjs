import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WRITERS } from './writers.mjs';

/** Nothing in them must be left out, is a secret, or is corrected. */
const PLAIN = { never: [], secrets: [], stands: [], gone: [] };

const sentence = (value, places) => ({
  subjects: [],
  attributes: [],
  values: [value],
  places,
  isSentence: true,
});

/**
 * Public sets as fixtures, by name; each takes the path of its data.
 *
 * `mempalace`: `memory_extraction` of MemPalace's `benchmarks/model_eval` (MIT), a folder: texts, each with what is worth
 * keeping. `locomo`: `locomo10.json` of LoCoMo (CC BY-NC 4.0, only to measure with): talks of two people in sessions, each
 * with observations that name their turns.
 */
export const SETS = { mempalace, locomo };

/** One conversation, in which each text is what a person says. */
function mempalace(folder) {
  const linesOf = (name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const samples = linesOf('dataset.jsonl');
  const labels = new Map(linesOf('labels.jsonl').map(({ id, memories }) => [id, memories]));
  const { format, write } = WRITERS.openai;
  const { text } = write(samples.map(({ text }) => ({ by: 'person', text })));
  const expected = samples.flatMap(({ id }, index) =>
    labels.get(id).map(({ content }) => sentence(content, [{ file: 0, line: index + 1, by: 'person' }])),
  );
  return [
    { ...PLAIN, name: 'mempalace', expected, files: [{ path: 'mempalace/1/messages.jsonl', format, text }] },
  ];
}

/** Each session a conversation. */
function locomo(path) {
  return JSON.parse(readFileSync(path, 'utf8')).flatMap(({ sample_id, conversation, observation }) =>
    Object.keys(observation).map((key) => {
      const session = key.replace('_observation', '');
      const name = `locomo-${sample_id}-${session}`;
      return sessionOf(name, conversation[session], conversation[`${session}_date_time`], observation[key]);
    }),
  );
}

function sessionOf(name, talk, date, observations) {
  const start = startOf(date);
  const turns = talk.map(({ speaker, text, blip_caption: picture }, index) => ({
    by: 'person',
    speaker,
    text: picture ? `${text} [shares ${picture}]` : text,
    at: new Date(start + index * 60_000).toISOString(),
  }));
  const { format, write } = WRITERS.slack;
  const { text, at } = write(turns);
  const lines = new Map(talk.map(({ dia_id }, index) => [dia_id, at[index]]));
  const expected = Object.values(observations)
    .flat()
    .map(([observed, ids]) => {
      const places = String(ids)
        .match(/D\d+:\d+/g)
        .filter((id) => lines.has(id))
        .map((id) => ({ file: 0, line: lines.get(id), by: 'person' }));
      return sentence(observed, places);
    });
  return { ...PLAIN, name, expected, files: [{ path: `${name}/1/day.json`, format, text }] };
}

/** `1:56 pm on 8 May, 2023` */
function startOf(date) {
  const [, hour, minute, half, day] = /^(\d+):(\d+) ([ap])m on (.+)$/.exec(date);
  const hours = (Number(hour) % 12) + (half === 'p' ? 12 : 0);
  return Date.parse(`${day} ${hours}:${minute} UTC`);
}
