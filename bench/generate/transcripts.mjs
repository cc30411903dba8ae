import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { random } from './random.mjs';

const WORDS =
  'the,a,of,to,and,in,is,it,for,that,with,as,on,be,this,use,we,when,from,not,file,test,build,keel,mast,hull,sail,rope,deck,line,value,error,function,returns,before,after,should,branch,server,cache,which,every,other'.split(
    ',',
  );
const PATHS = [
  'src/hull/plank.ts',
  'src/rig/mast.ts',
  'test/keel.test.ts',
  'docs/sailing.md',
  'package.json',
];
const START = Date.UTC(2026, 2, 1, 8);

/** Writes a file of at least so many bytes, or leaves the one that is there. `parts` gives its text in pieces. */
function write(path, bytes, parts) {
  if (existsSync(path) && statSync(path).size >= bytes) return;
  const partial = `${path}.partial`;
  const fd = openSync(partial, 'w');
  let written = 0;
  for (const part of parts(() => written >= bytes)) written += writeSync(fd, part);
  closeSync(fd);
  renameSync(partial, path);
}

/** What people and models write, from a seed. */
class Writer {
  #random;
  #count = 0;

  constructor(seed) {
    this.#random = random(seed);
  }

  get random() {
    return this.#random;
  }

  /** An id in the form of a UUID. */
  id() {
    const hex = createHash('sha256')
      .update(`id ${this.#count++}`)
      .digest('hex');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  }

  time() {
    return new Date(START + this.#count * 1000);
  }

  prose(words) {
    const said = [];
    for (let i = 0; i < words; i++) said.push(this.#random.pick(WORDS));
    const text = said.join(' ');
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  }

  /** Paragraphs with code among them, as models answer. */
  answer(words) {
    const code = `\`\`\`ts\nconst ${this.#random.pick(WORDS)} = "${this.#random.pick(PATHS)}";\n\`\`\``;
    return words < 60 ? this.prose(words) : `${this.prose(words / 2)}\n\n${code}\n\n${this.prose(words / 2)}`;
  }

  /** So many bytes of a file with line numbers, as tools give it. */
  listing(bytes) {
    const block = [];
    for (let i = 1; i <= 200; i++) block.push(`${String(i).padStart(6)}\t${this.prose(8)} "${i}"`);
    const text = block.join('\n');
    return text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);
  }

  /** Mostly small, and sometimes of megabytes. */
  resultBytes() {
    const share = this.#random.next();
    if (share < 0.6) return 100 + this.#random.below(2000);
    if (share < 0.95) return 2000 + this.#random.below(30_000);
    if (share < 0.998) return 30_000 + this.#random.below(200_000);
    return 1_000_000 + this.#random.below(3_000_000);
  }

  image() {
    const bytes = createHash('sha512')
      .update(`image ${this.#count++}`)
      .digest();
    return Buffer.alloc(100_000 + this.#random.below(400_000), bytes).toString('base64');
  }
}

/** A session of Claude Code, with agents of its own, images, snapshots and what compactions write again. */
export function claudeCodeSession(path, bytes) {
  write(path, bytes, function* (isEnough) {
    const writer = new Writer(1);
    const { random } = writer;
    const sessionId = writer.id();
    let parentUuid = null;
    let recent = [];
    const lineOf = (type, content, more = {}) => {
      const uuid = writer.id();
      const record = {
        parentUuid,
        isSidechain: false,
        userType: 'external',
        cwd: '/home/mara/ship',
        sessionId,
        version: '2.1.0',
        gitBranch: 'main',
        ...more,
        type,
        ...(content && { message: messageOf(type, content, writer) }),
        uuid,
        timestamp: writer.time().toISOString(),
      };
      parentUuid = uuid;
      const line = `${JSON.stringify(record)}\n`;
      recent.push(line);
      return line;
    };
    while (!isEnough()) {
      yield `${JSON.stringify({ type: 'file-history-snapshot', messageId: writer.id(), snapshot: { trackedFileBackups: Object.fromEntries(PATHS.map((path) => [path, { backupFileName: writer.id(), version: 1 }])), timestamp: writer.time() }, isSnapshotUpdate: false })}\n`;
      const asked = { type: 'text', text: writer.prose(5 + random.below(60)) };
      const image = {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: writer.image() },
      };
      yield lineOf('user', random.next() < 0.05 ? [asked, image] : asked.text);
      const isSidechain = random.next() < 0.1;
      for (let step = 3 + random.below(12); step > 0; step--) {
        const more = { isSidechain };
        const thinking = writer.prose(30 + random.below(300));
        yield lineOf(
          'assistant',
          [{ type: 'thinking', thinking, signature: writer.image().slice(0, 600) }],
          more,
        );
        if (step % 3 === 0) {
          yield lineOf('assistant', [{ type: 'text', text: writer.answer(10 + random.below(80)) }], more);
        }
        const id = `toolu_${writer.id()}`;
        const input = { file_path: `/home/mara/ship/${random.pick(PATHS)}`, limit: random.below(2000) };
        yield lineOf('assistant', [{ type: 'tool_use', id, name: 'Read', input }], more);
        for (let times = random.below(4); times > 0; times--) {
          yield lineOf('progress', undefined, {
            data: { type: 'bash_progress', output: writer.prose(40) },
            toolUseID: id,
          });
        }
        const content = writer.listing(writer.resultBytes());
        yield lineOf('user', [{ type: 'tool_result', tool_use_id: id, content }], {
          ...more,
          toolUseResult: { type: 'text', file: { filePath: input.file_path, content, numLines: 200 } },
        });
      }
      yield lineOf('assistant', [{ type: 'text', text: writer.answer(60 + random.below(400)) }]);
      if (random.next() < 0.02) yield* recent.slice(-200);
      recent = recent.slice(-200);
    }
  });
}

function messageOf(role, content, writer) {
  if (role === 'user') return { role, content };
  const usage = {
    input_tokens: 4,
    cache_read_input_tokens: 40_000,
    output_tokens: 300,
    service_tier: 'standard',
  };
  return {
    model: 'claude',
    id: `msg_${writer.id()}`,
    type: 'message',
    role,
    content,
    stop_reason: null,
    usage,
  };
}

/** `conversations.json` of a ChatGPT export: one line. */
export function chatgptExport(path, bytes) {
  write(path, bytes, function* (isEnough) {
    const writer = new Writer(2);
    const { random } = writer;
    yield '[';
    for (let isFirst = true; !isEnough(); isFirst = false) {
      const mapping = {};
      let parent = null;
      for (let turn = 0; turn < 2 + random.below(60); turn++) {
        const id = writer.id();
        const role = turn % 2 === 0 ? 'user' : 'assistant';
        const text =
          role === 'user' ? writer.prose(5 + random.below(80)) : writer.answer(50 + random.below(500));
        mapping[id] = {
          id,
          message: {
            id,
            author: { role, name: null, metadata: {} },
            create_time: writer.time() / 1000,
            update_time: null,
            content: { content_type: 'text', parts: [text] },
            status: 'finished_successfully',
            end_turn: true,
            weight: 1.0,
            metadata: { request_id: writer.id(), message_type: 'next', model_slug: 'gpt', citations: [] },
            recipient: 'all',
          },
          parent,
          children: [],
        };
        if (parent) mapping[parent].children.push(id);
        parent = id;
      }
      const conversation = {
        title: writer.prose(4),
        create_time: writer.time() / 1000,
        mapping,
        current_node: parent,
        conversation_id: writer.id(),
      };
      yield `${isFirst ? '' : ', '}${JSON.stringify(conversation)}`;
    }
    yield ']';
  });
}

/** `conversations.json` of a Claude.ai export, laid out in lines. */
export function claudeAiExport(path, bytes) {
  write(path, bytes, function* (isEnough) {
    const writer = new Writer(3);
    const { random } = writer;
    yield '[\n';
    for (let isFirst = true; !isEnough(); isFirst = false) {
      const messages = [];
      for (let turn = 0; turn < 2 + random.below(40); turn++) {
        const sender = turn % 2 === 0 ? 'human' : 'assistant';
        const text =
          sender === 'human' ? writer.prose(5 + random.below(80)) : writer.answer(50 + random.below(500));
        const times = { created_at: writer.time(), updated_at: writer.time() };
        const content = [{ start_timestamp: times.created_at, type: 'text', text, citations: [] }];
        messages.push({ uuid: writer.id(), text, content, sender, ...times, attachments: [], files: [] });
      }
      const conversation = {
        uuid: writer.id(),
        name: writer.prose(4),
        summary: '',
        created_at: writer.time(),
        account: { uuid: writer.id() },
        chat_messages: messages,
      };
      yield `${isFirst ? '' : ',\n'}${JSON.stringify(conversation, null, 2)}`;
    }
    yield '\n]\n';
  });
}
