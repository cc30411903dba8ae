/**
 * How each client writes a conversation down. A writer takes turns and gives the text of a file and, for each turn, the line
 * it begins in. A turn is `{ by, text, at, id, speaker?, isCopy? }`, or `{ record }` or `{ text, by: 'client' }` for what a
 * client puts between turns by itself: a record of its own, or lines.
 */

const json = JSON.stringify;

/** One record a line. */
function recordsOf(turns, recordOf, head = []) {
  const lines = [...head];
  const at = [];
  for (const turn of turns) {
    at.push(lines.length + 1);
    lines.push(turn.record ?? recordOf(turn, lines.length));
  }
  return { text: lines.map((line) => `${json(line)}\n`).join(''), at };
}

/** A list with one item a line, from the second line on. */
function listOf(items) {
  return `[\n${items.map((item) => json(item)).join(',\n')}\n]\n`;
}

const ONE_LINE = (turns) => turns.map(() => 1);

/** Text: each turn with what stands above it. */
function textOf(turns, blockOf, head = '') {
  const at = [];
  let text = head;
  for (const turn of turns) {
    const { before = '', block, skip = 0 } = blockOf(turn);
    text += before;
    at.push(text.split('\n').length + skip);
    text += block;
  }
  return { text, at };
}

const user = (by) => (by === 'person' ? 'user' : by);

const FOLDER = '/home/ines/saltmarsh';

function claudeCode(turns, { session = 's1' } = {}) {
  return recordsOf(turns, ({ by, text, at, id }) => {
    const common = { uuid: id, parentUuid: null, sessionId: session, timestamp: at, cwd: FOLDER };
    if (by === 'tool') {
      const block = { type: 'tool_result', tool_use_id: `t-${id}`, content: text };
      return { ...common, type: 'user', message: { role: 'user', content: [block] } };
    }
    const content = by === 'person' ? text : [{ type: 'text', text }];
    return { ...common, type: user(by), message: { role: user(by), content } };
  });
}

function codex(turns) {
  const head = [
    {
      timestamp: turns[0].at,
      type: 'session_meta',
      payload: { id: 's', cwd: FOLDER, originator: 'codex_cli_rs', source: 'cli' },
    },
  ];
  const payloadOf = ({ by, text, id }) => {
    if (by === 'tool') return { type: 'function_call_output', call_id: id, output: text };
    const type = by === 'person' ? 'input_text' : 'output_text';
    return { type: 'message', role: user(by), id, content: [{ type, text }] };
  };
  return recordsOf(
    turns,
    (turn) => ({ timestamp: turn.at, type: 'response_item', payload: payloadOf(turn) }),
    head,
  );
}

const geminiMessage = ({ by, text, at, id }) => {
  const common = { id, timestamp: at };
  if (by === 'person') return { ...common, type: 'user', content: [{ text }] };
  if (by === 'assistant') return { ...common, type: 'gemini', content: text };
  const result = [{ functionResponse: { id, name: 'run_shell_command', response: { output: text } } }];
  return {
    ...common,
    type: 'gemini',
    content: '',
    toolCalls: [{ id, name: 'run_shell_command', args: {}, status: 'success', result }],
  };
};
const GEMINI_META = { sessionId: 's', projectHash: 'h', startTime: '2026-10-05T08:00:00.000Z', kind: 'main' };

function geminiLines(turns) {
  return recordsOf(turns, geminiMessage, [GEMINI_META]);
}

function geminiDocument(turns) {
  return { text: json({ ...GEMINI_META, messages: turns.map(geminiMessage) }), at: ONE_LINE(turns) };
}

/** Each turn of a person with what follows it. */
function requestsOf(turns) {
  const requests = [];
  for (const { by, text, at, id } of turns) {
    if (by === 'person') {
      requests.push({ requestId: id, timestamp: Date.parse(at), message: { text }, response: [] });
    } else {
      const output = [{ type: 'embed', isText: true, value: text }];
      requests
        .at(-1)
        .response.push(
          by === 'assistant'
            ? { value: text }
            : { kind: 'toolInvocationSerialized', toolId: 'run', resultDetails: { input: '{}', output } },
        );
    }
  }
  return requests;
}
const chatSession = (requests) => ({ version: 3, creationDate: 1, sessionId: 's', requests });

function copilotDocument(turns) {
  return { text: json(chatSession(requestsOf(turns))), at: ONE_LINE(turns) };
}

function copilotLog(turns) {
  const requests = requestsOf(turns);
  const changes = requests.flatMap(({ response, ...request }, index) => [
    { kind: 2, k: ['requests'], v: [{ ...request, response: [] }] },
    { kind: 2, k: ['requests', index, 'response'], v: response },
  ]);
  let line = 0;
  const at = turns.map(({ by }) => {
    if (by === 'person') line += 2;
    return by === 'assistant' ? line + 1 : line;
  });
  return {
    text: [{ kind: 0, v: chatSession([]) }, ...changes].map((change) => `${json(change)}\n`).join(''),
    at,
  };
}

function copilotCli(turns) {
  const dataOf = {
    person: (text) => ['user.message', { content: text }],
    assistant: (text) => ['assistant.message', { content: text, toolRequests: [] }],
    tool: (text) => [
      'tool.execution_complete',
      { toolCallId: 't', success: true, result: { content: text } },
    ],
  };
  const head = [{ type: 'session.start', data: { sessionId: 's' }, id: 'e0', timestamp: turns[0].at }];
  return recordsOf(
    turns,
    ({ by, text, at, id }) => {
      const [type, data] = dataOf[by](text);
      return { type, data, id, timestamp: at, parentId: null };
    },
    head,
  );
}

function gptme(turns) {
  const head = [
    { role: 'system', content: 'You are a helpful assistant.', timestamp: turns[0].at, pinned: true },
  ];
  const roleOf = { person: 'user', assistant: 'assistant', tool: 'system' };
  return recordsOf(
    turns,
    ({ by, text, at }) => ({ role: roleOf[by], content: text, timestamp: at.replace('Z', '+00:00') }),
    head,
  );
}

function claudeAi(turns, { title }) {
  const messages = turns.map(({ by, text, at, id }) => {
    const common = {
      uuid: id,
      sender: by === 'person' ? 'human' : 'assistant',
      created_at: at,
      attachments: [],
      files: [],
    };
    const block =
      by === 'tool' ? { type: 'tool_result', content: [{ type: 'text', text }] } : { type: 'text', text };
    return { ...common, text: by === 'tool' ? '' : text, content: [block] };
  });
  return {
    text: listOf([{ uuid: 'c1', name: title, created_at: turns[0].at, chat_messages: messages }]),
    at: turns.map(() => 2),
  };
}

/** The messages are one branch; those with `isElsewhere` are on another, which was given up. */
function chatgpt(turns, { title }) {
  const mapping = { root: { id: 'root', parent: null, children: [], message: null } };
  let parent = 'root';
  for (const { by, text, at, id, isElsewhere } of turns) {
    const message = {
      id,
      author: { role: user(by) },
      create_time: Date.parse(at) / 1000,
      content: { content_type: 'text', parts: [text] },
      recipient: 'all',
      metadata: {},
    };
    mapping[id] = { id, parent, children: [], message };
    mapping[parent].children.push(id);
    if (!isElsewhere) parent = id;
  }
  const conversation = {
    title,
    create_time: Date.parse(turns[0].at) / 1000,
    mapping,
    current_node: parent,
    conversation_id: 'c1',
  };
  return { text: listOf([conversation]), at: turns.map(() => 2) };
}

function slack(turns) {
  const messages = turns.map(({ by, text, at, speaker }, index) => ({
    type: 'message',
    user: `U${speaker}`,
    text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ts: `${Date.parse(at) / 1000}.${String(index).padStart(6, '0')}`,
    user_profile: { display_name: speaker, real_name: speaker },
    ...(by === 'assistant' && { bot_id: 'B1', bot_profile: { name: speaker } }),
  }));
  return { text: listOf(messages), at: turns.map((_, index) => index + 2) };
}

function openAi(turns) {
  return recordsOf(turns, ({ by, text }) => ({
    role: user(by),
    content: text,
    ...(by === 'tool' && { tool_call_id: 't' }),
  }));
}

function anthropic(turns) {
  const messages = turns.map(({ by, text }) => ({
    role: by === 'assistant' ? 'assistant' : 'user',
    content: [
      by === 'tool' ? { type: 'tool_result', tool_use_id: 't', content: text } : { type: 'text', text },
    ],
  }));
  return { text: json({ model: 'm', messages }, null, 1), at: ONE_LINE(turns) };
}

function cline(turns) {
  const messages = turns.map(({ by, text, at }, index) => {
    const environment = { type: 'text', text: '<environment_details>\n# Time\nnow\n</environment_details>' };
    const ts = Date.parse(at);
    if (by === 'assistant') return { role: 'assistant', content: [{ type: 'text', text }], ts };
    const said =
      by === 'tool'
        ? ["[read_file for 'notes.md'] Result:", text]
        : index === 0
          ? [`<task>\n${text}\n</task>`]
          : ['[attempt_completion] Result:', `<feedback>\n${text}\n</feedback>`];
    return {
      role: 'user',
      content: [...said.map((part) => ({ type: 'text', text: part })), environment],
      ts,
    };
  });
  return { text: listOf(messages), at: turns.map((_, index) => index + 2) };
}

function shareGpt(turns) {
  const from = { person: 'human', assistant: 'gpt', tool: 'tool' };
  const conversations = turns.map(({ by, text }) => ({ from: from[by], value: text }));
  return { text: listOf([{ id: 'c1', conversations }]), at: turns.map(() => 2) };
}

function cursorExport(turns, { title }) {
  const head = `# ${title}\n_Exported on 10/5/2026 at 17:47:04 GMT+2 from Cursor (1.7.2)_\n`;
  const name = { person: '**User**', assistant: '**Cursor**' };
  return textOf(turns, ({ by, text }) => ({ before: '\n---\n\n', block: `${name[by]}\n\n${text}\n` }), head);
}

function cursorAgent(turns) {
  return textOf(turns, ({ by, text }) => ({
    block:
      by === 'person'
        ? `user:\n<user_query>\n${text}\n</user_query>\n`
        : by === 'assistant'
          ? `assistant:\n${text}\n`
          : `assistant:\n[Tool result] run\n${text.replace(/^/gm, '  ')}\n\n`,
  }));
}

function aider(turns) {
  const head = `# aider chat started at ${turns[0].at.slice(0, 19).replace('T', ' ')}\n\n> Aider v0.86.0  \n\n`;
  return textOf(
    turns,
    ({ by, text }) => ({
      block:
        by === 'person'
          ? `${text.replace(/^(.*)$/gm, '#### $1  ')}\n\n`
          : by === 'assistant'
            ? `${text}\n\n`
            : `${text.replace(/^(.*)$/gm, '> $1  ')}\n\n`,
    }),
    head,
  );
}

const clock = (second, mark) =>
  `00:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}${mark}000`;

function webVtt(turns) {
  let second = 0;
  return textOf(
    turns,
    ({ text, speaker }) => {
      second += 8;
      const time = `${clock(second, '.')} --> ${clock(second + 7, '.')}`;
      return { before: '\n', block: `${time}\n<v ${speaker}>${text}</v>\n`, skip: 1 };
    },
    'WEBVTT\n',
  );
}

function subRip(turns) {
  let number = 0;
  return textOf(turns, ({ text, speaker }) => {
    number++;
    const time = `${clock(number * 8, ',')} --> ${clock(number * 8 + 7, ',')}`;
    return { block: `${number}\n${time}\n${speaker}: ${text}\n\n`, skip: 2 };
  });
}

function markdown(turns) {
  const name = { person: 'User', assistant: 'Assistant', tool: 'Tool' };
  return textOf(turns, ({ by, text }) => ({ block: `## ${name[by]}\n\n${text}\n\n` }));
}

/** Minutes: who speaks stands before what is said. */
function minutes(turns) {
  return textOf(turns, ({ speaker, text }) => ({ block: `${speaker}: ${text}\n\n` }));
}

/** Nobody tells who wrote it. */
function notes(turns) {
  return textOf(turns, ({ text }) => ({ block: `${text}\n\n` }));
}

/** By name: the format as the reader calls it, how a file is named, and what writes it. */
export const WRITERS = {
  'claude-code': { format: 'Claude Code', file: 'session.jsonl', write: claudeCode },
  codex: { format: 'Codex', file: 'rollout.jsonl', write: codex },
  gemini: { format: 'Gemini CLI', file: 'session.jsonl', write: geminiLines },
  'gemini-document': { format: 'Gemini CLI', file: 'session.json', write: geminiDocument },
  'copilot-chat': { format: 'Copilot Chat', file: 'session.json', write: copilotDocument },
  'copilot-chat-log': { format: 'Copilot Chat', file: 'session.jsonl', write: copilotLog },
  'copilot-cli': { format: 'Copilot CLI', file: 'events.jsonl', write: copilotCli },
  gptme: { format: 'gptme', file: 'conversation.jsonl', write: gptme },
  'claude-ai': { format: 'Claude.ai', file: 'conversations.json', write: claudeAi },
  chatgpt: { format: 'ChatGPT', file: 'conversations.json', write: chatgpt },
  slack: { format: 'Slack', file: '2026-10-05.json', write: slack },
  openai: { format: 'API messages', file: 'messages.jsonl', write: openAi },
  anthropic: { format: 'API messages', file: 'messages.json', write: anthropic },
  cline: { format: 'API messages', file: 'api_conversation_history.json', write: cline },
  sharegpt: { format: 'API messages', file: 'sharegpt.json', write: shareGpt },
  'cursor-export': { format: 'Cursor export', file: 'chat.md', write: cursorExport },
  'cursor-agent': { format: 'Cursor agent', file: 'agent.txt', write: cursorAgent },
  aider: { format: 'aider', file: '.aider.chat.history.md', write: aider },
  webvtt: { format: 'captions', file: 'meeting.vtt', write: webVtt },
  subrip: { format: 'captions', file: 'meeting.srt', write: subRip },
  markdown: { format: 'text', file: 'chat.md', write: markdown },
  minutes: { format: 'text', file: 'minutes.txt', write: minutes },
  notes: { format: 'text', file: 'notes.txt', write: notes },
};
