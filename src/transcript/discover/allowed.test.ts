import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSource } from '../read/source.ts';
import { type Allowance, allowedPath } from './allowed.ts';
import { discover } from './discover.ts';
import { TestMachine } from './machine.testing.ts';

let machine: TestMachine;

beforeEach(() => {
  machine = new TestMachine();
});

afterEach(() => machine.remove());

const HOME = 'home/mara';

const ask = (path: string, other: Partial<Allowance> = {}) =>
  allowedPath(path, { ...machine.as(), folders: [], ...other });

/** The real path, or the code of the error. */
async function outcome(path: string, other?: Partial<Allowance>): Promise<string> {
  try {
    return relative(machine.root, await ask(path, other));
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const absolute = (path: string) => join(machine.root, path);

describe('what may be read', () => {
  test('is in the current folder, by any way to write its path', async () => {
    machine.file(`${HOME}/boats/talk.md`);
    machine.file(`${HOME}/boats/logs/july/talk.txt`);
    for (const path of [
      'talk.md',
      './logs/../talk.md',
      '~/boats/talk.md',
      absolute(`${HOME}/boats/talk.md`),
    ]) {
      expect(await outcome(path)).toBe(`${HOME}/boats/talk.md`);
    }
    expect(await outcome('logs/july/talk.txt')).toBe(`${HOME}/boats/logs/july/talk.txt`);
  });

  test('is where clients keep transcripts', async () => {
    for (const path of [
      '.claude/projects/p/1.jsonl',
      '.codex/sessions/2026/01/02/rollout-1.jsonl.zst',
      '.gemini/tmp/0/chats/session-1.json',
      '.copilot/session-state/0/events.jsonl',
      '.config/Code/User/globalStorage/x.y/tasks/17/api_conversation_history.json',
      'boats/.aider.chat.history.md',
    ]) {
      machine.file(`${HOME}/${path}`);
      expect(await outcome(`~/${path}`)).toBe(`${HOME}/${path}`);
    }
  });

  test('is every transcript that is discovered', async () => {
    machine.folder(`${HOME}/boats/.git`);
    machine.file(`${HOME}/boats/.aider.chat.history.md`);
    machine.file(`${HOME}/.cursor/projects/boats/agent-transcripts/1/1.jsonl`);
    machine.file(`${HOME}/.claude/projects/p/1/subagents/agent-2.jsonl`);
    const here = machine.as({ workFolder: machine.folder(`${HOME}/boats/hull`) });
    const { transcripts } = await discover(here);
    expect(transcripts).toHaveLength(3);
    for (const { path } of transcripts) expect(await ask(path, here)).toBe(path);
  });

  test('is in a folder that the user allows, hidden or not', async () => {
    machine.file('exports/2026/chat.json');
    machine.file(`${HOME}/.chats/chat.json`);
    expect(await outcome(absolute('exports/2026/chat.json'))).toBe('TRANSCRIPT_NOT_ALLOWED');
    expect(await outcome(absolute('exports/2026/chat.json'), { folders: [absolute('exports')] })).toBe(
      'exports/2026/chat.json',
    );
    expect(await outcome('~/.chats/chat.json', { folders: [absolute(`${HOME}/.chats`)] })).toBe(
      `${HOME}/.chats/chat.json`,
    );
    expect(await outcome('~/.chats/chat.json', { folders: [machine.home] })).toBe('TRANSCRIPT_NOT_ALLOWED');
    const both = { workFolder: machine.home, folders: [absolute(`${HOME}/.chats`)] };
    expect(await outcome('~/.chats/chat.json', both)).toBe(`${HOME}/.chats/chat.json`);
  });

  test('may be reached by links, if it lies there', async () => {
    machine.file(`${HOME}/.claude/projects/p/1.jsonl`);
    symlinkSync(absolute(`${HOME}/.claude/projects/p/1.jsonl`), join(machine.work, 'link'));
    expect(await outcome('link')).toBe(`${HOME}/.claude/projects/p/1.jsonl`);
    machine.file('disk/exports/chat.json');
    symlinkSync(absolute('disk/exports'), absolute('exports'));
    expect(await outcome(absolute('exports/chat.json'), { folders: [absolute('exports')] })).toBe(
      'disk/exports/chat.json',
    );
    machine.file('dotfiles/codex/sessions/rollout-1.jsonl');
    symlinkSync(absolute('dotfiles/codex'), join(machine.home, '.codex'));
    expect(await outcome('~/.codex/sessions/rollout-1.jsonl')).toBe(
      'dotfiles/codex/sessions/rollout-1.jsonl',
    );
    symlinkSync(machine.work, absolute('work'));
    machine.file(`${HOME}/boats/talk.md`);
    expect(await outcome('talk.md', { workFolder: absolute('work') })).toBe(`${HOME}/boats/talk.md`);
  });

  test('is what aider wrote, though that is hidden', async () => {
    machine.file('boats/hull/.aider.chat.history.md');
    const folders = [absolute('boats')];
    expect(await outcome(absolute('boats/hull/.aider.chat.history.md'), { folders })).toBe(
      'boats/hull/.aider.chat.history.md',
    );
  });

  test('may have an odd name', async () => {
    machine.file(`${HOME}/.gemini/tmp/..0/chats/session-1.json`);
    expect(await outcome('~/.gemini/tmp/..0/chats/session-1.json')).toBe(
      `${HOME}/.gemini/tmp/..0/chats/session-1.json`,
    );
    for (const name of [
      '..talk',
      '-rf',
      ' ',
      'a\nb.md',
      'id_rsarium.md',
      'tokens.md',
      'monkey.md',
      'key.md',
      '~x',
    ]) {
      machine.file(`${HOME}/boats/${name}`);
      expect(await outcome(`./${name}`)).toBe(
        name.startsWith('.') ? 'TRANSCRIPT_NOT_ALLOWED' : `${HOME}/boats/${name}`,
      );
    }
  });
});

describe('what may not be read', () => {
  test('is elsewhere, whether it is there or not', async () => {
    machine.file('etc/hosts');
    machine.file(`${HOME}/boatsman/talk.md`);
    for (const path of ['etc/hosts', 'etc/none', `${HOME}/boatsman/talk.md`, `${HOME}/none`, '', HOME]) {
      expect(await outcome(absolute(path))).toBe('TRANSCRIPT_NOT_ALLOWED');
      expect(await outcome(relative(machine.work, absolute(path)))).toBe('TRANSCRIPT_NOT_ALLOWED');
    }
  });

  test('is what clients keep besides transcripts', async () => {
    for (const path of [
      '.claude/.credentials.json',
      '.claude/projects/p/notes.md',
      '.codex/auth.json',
      '.gemini/oauth_creds.json',
      '.copilot/config.json',
      '.config/Code/User/globalStorage/state.vscdb',
    ]) {
      machine.file(`${HOME}/${path}`);
      expect(await outcome(`~/${path}`)).toBe('TRANSCRIPT_NOT_ALLOWED');
    }
  });

  test.each([
    '.env',
    '.env.local',
    'prod.env',
    '.ENV',
    '.bash_history',
    '.git/config',
    'deep/.hidden/talk.md',
    'id_rsa',
    'ID_ED25519',
    'id_ecdsa.bak',
    'id_ed25519_sk.pub',
    'server.pem',
    'server.KEY',
    'server.pem.old',
    'server.key~',
    'store.p12',
    'vault.kdbx',
    'credentials.json',
    'secrets.yaml',
    'service-account-7.json',
    'prod.tfvars',
    'shadow',
    'passwd-',
    'authorized_keys',
  ])('is %s, even in the current folder and in one that is allowed', async (name) => {
    machine.file(`${HOME}/boats/${name}`);
    const refused = {
      code: 'TRANSCRIPT_NOT_ALLOWED',
      message: expect.stringMatching(
        /^'.*' may not be read: it is hidden, or named as files with keys are\. If/,
      ),
    };
    await expect(ask(name)).rejects.toMatchObject(refused);
    await expect(ask(name, { folders: [machine.work] })).rejects.toMatchObject(refused);
    expect(
      await outcome(`~/boats/${name}`, { workFolder: machine.folder('tmp'), folders: [machine.work] }),
    ).toBe('TRANSCRIPT_NOT_ALLOWED');
  });

  test.each(['.ssh', '.gnupg', '.aws', '.SSH'])(
    'is in %s, even if that is the current folder',
    async (folder) => {
      machine.file(`${HOME}/${folder}/config`);
      const workFolder = absolute(`${HOME}/${folder}`);
      expect(await outcome('config', { workFolder, folders: [workFolder] })).toBe('TRANSCRIPT_NOT_ALLOWED');
    },
  );

  test('is what a link leads to elsewhere', async () => {
    machine.file('etc/hosts');
    machine.file(`${HOME}/boats/.env`);
    machine.folder(`${HOME}/.claude/projects/p`);
    symlinkSync(absolute('etc/hosts'), join(machine.work, 'talk.md'));
    symlinkSync(absolute('etc'), join(machine.work, 'etc'));
    symlinkSync('.env', join(machine.work, 'env.md'));
    symlinkSync(absolute('etc/hosts'), absolute(`${HOME}/.claude/projects/p/1.jsonl`));
    symlinkSync(absolute('etc/hosts'), join(machine.work, '.aider.chat.history.md'));
    const paths = [
      'talk.md',
      'etc/hosts',
      'etc/none',
      'env.md',
      '~/.claude/projects/p/1.jsonl',
      '.aider.chat.history.md',
    ];
    for (const path of paths) expect(await outcome(path)).toBe('TRANSCRIPT_NOT_ALLOWED');
  });

  test('is another machine’s, which is not even asked', async () => {
    machine.file(`${HOME}/boats/\\\\host\\share\\talk.md`);
    expect(await outcome('\\\\host\\share\\talk.md', { platform: 'win32' })).toBe('TRANSCRIPT_NOT_ALLOWED');
    expect(await outcome('//host/share/talk.md', { platform: 'win32' })).toBe('TRANSCRIPT_NOT_ALLOWED');
    expect(await outcome('\\\\host\\share\\talk.md')).toBe(`${HOME}/boats/\\\\host\\share\\talk.md`);
  });

  test('is a path that no system has', async () => {
    expect(await outcome('talk\0.md')).toBe('TRANSCRIPT_NOT_ALLOWED');
  });

  test('is told in one line, with what may be', async () => {
    await expect(ask('/x\ny', { folders: ['/exports'] })).rejects.toMatchObject({
      code: 'TRANSCRIPT_NOT_ALLOWED',
      message:
        "'/x␊y' may not be read: transcripts are read from the current folder, '/exports', where known clients keep transcripts. Allow another folder with --allow FOLDER, or in PLIMSOLL_TRANSCRIPT_FOLDERS.",
    });
  });
});

describe('where nobody chose the current folder', () => {
  test('the home opens what is not hidden', async () => {
    machine.file(`${HOME}/chat.json`);
    machine.file(`${HOME}/Downloads/chat.json`);
    machine.file(`${HOME}/.config/chat.json`);
    const here = { workFolder: machine.home };
    expect(await outcome('chat.json', here)).toBe(`${HOME}/chat.json`);
    expect(await outcome('Downloads/chat.json', here)).toBe(`${HOME}/Downloads/chat.json`);
    expect(await outcome('.config/chat.json', here)).toBe('TRANSCRIPT_NOT_ALLOWED');
  });

  test.each<[NodeJS.Platform, string]>([
    ['darwin', 'Library'],
    ['win32', 'AppData'],
  ])('the home opens no data of programs on %s', async (platform, folder) => {
    const path = `${HOME}/${folder}/Mail/chat.json`;
    machine.file(path);
    const asked = absolute(path);
    expect(await outcome(asked, { platform, workFolder: machine.home })).toBe('TRANSCRIPT_NOT_ALLOWED');
    expect(await outcome(asked, { platform, folders: [machine.home] })).toBe('TRANSCRIPT_NOT_ALLOWED');
    expect(await outcome(asked, { platform, folders: [absolute(`${HOME}/${folder}/Mail`)] })).toBe(path);
    expect(await outcome(asked, { platform, folders: [absolute(`${HOME}/${folder}`)] })).toBe(path);
    expect(await outcome(asked, { platform: 'linux', workFolder: machine.home })).toBe(path);
  });

  test('a folder around the home opens what lies in it directly', async () => {
    machine.file('home/chat.json');
    machine.file(`${HOME}/chat.json`);
    machine.file('home/else/chat.json');
    const workFolder = absolute('home');
    expect(await outcome('chat.json', { workFolder })).toBe('home/chat.json');
    expect(await outcome('mara/chat.json', { workFolder })).toBe('TRANSCRIPT_NOT_ALLOWED');
    expect(await outcome('else/chat.json', { workFolder })).toBe('TRANSCRIPT_NOT_ALLOWED');
    expect(await outcome('else/chat.json', { workFolder, folders: [absolute('home/else')] })).toBe(
      'home/else/chat.json',
    );
  });

  test.each(['', '/', '/home/mara'])('so does the root of the file system, with a home %j', async (home) => {
    machine.file('etc/hosts');
    expect(await outcome(absolute('etc/hosts'), { workFolder: '/', home })).toBe('TRANSCRIPT_NOT_ALLOWED');
    expect(await outcome('/none', { workFolder: '/', home })).toBe('TRANSCRIPT_UNREADABLE');
  });
});

describe('what may be read, but is none', () => {
  test.each<[string, () => void, string]>([
    ['is missing', () => {}, "Cannot read 'x': there is no such file."],
    [
      'is a folder',
      () => machine.folder(`${HOME}/boats/x`),
      "Cannot read 'x': it is a folder: give a file in it.",
    ],
    [
      'is a pipe',
      () => execFileSync('mkfifo', [join(machine.work, 'x')]),
      "Cannot read 'x': it is no regular file.",
    ],
    [
      'leads nowhere',
      () => symlinkSync('none', join(machine.work, 'x')),
      "Cannot read 'x': it is no regular file.",
    ],
  ])('%s', async (_, make, message) => {
    make();
    await expect(ask('x')).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE', message });
  });

  test('is the current folder itself', async () => {
    await expect(ask('.')).rejects.toMatchObject({
      code: 'TRANSCRIPT_UNREADABLE',
      message: "Cannot read '.': it is a folder: give a file in it.",
    });
  });
});

describe('a refusal says where a link leads', () => {
  const message = (path: string, other?: Partial<Allowance>) =>
    ask(path, other).then(
      () => 'read',
      ({ message }: Error) => message.replaceAll(machine.root, '').replace(/:.*/, ''),
    );

  beforeEach(() => {
    machine.file('etc/hosts');
    machine.file(`${HOME}/boats/.env`);
    symlinkSync(absolute('etc/hosts'), join(machine.work, 'talk.md'));
    symlinkSync(absolute('etc'), join(machine.work, 'etc'));
    symlinkSync('.env', join(machine.work, 'env.md'));
  });

  test.each([
    ['talk.md', "'talk.md', which leads to '/etc/hosts', may not be read"],
    ['etc/hosts', "'etc/hosts', which leads to '/etc/hosts', may not be read"],
    ['etc/none', "'etc/none', which leads to '/etc/none', may not be read"],
    ['env.md', "'env.md', which leads to '/home/mara/boats/.env', may not be read"],
    ['.env', "'.env' may not be read"],
    ['../../../etc/hosts', "'../../../etc/hosts' may not be read"],
  ])('%s', async (path, expected) => {
    expect(await message(path)).toBe(expected);
  });

  test('by a name of the current folder that is a link itself', async () => {
    symlinkSync(machine.work, absolute('work'));
    const workFolder = absolute('work');
    expect(await message('talk.md', { workFolder })).toBe(
      "'talk.md', which leads to '/etc/hosts', may not be read",
    );
    expect(await message('.env', { workFolder })).toBe("'.env' may not be read");
  });

  test('but not of one that lies elsewhere, or is hidden', async () => {
    symlinkSync(absolute('etc/hosts'), absolute('link'));
    machine.folder(`${HOME}/boats/.ssh`);
    symlinkSync(absolute('etc/hosts'), join(machine.work, '.ssh', 'link'));
    expect(await message(absolute('link'))).toBe("'/link' may not be read");
    expect(await message('.ssh/link')).toBe("'.ssh/link' may not be read");
    const around = { workFolder: machine.root };
    expect(await message('home/mara/boats/talk.md', around)).toBe(
      "'home/mara/boats/talk.md' may not be read",
    );
  });
});

test('a link that comes into the place of a file after it was allowed is not read', async () => {
  const secret = machine.file(`${HOME}/.ssh/id_rsa`);
  const path = await ask(machine.file(`${HOME}/boats/talk.md`));
  rmSync(path);
  symlinkSync(secret, path);
  await expect(openSource(path)).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' });
});

test('what is allowed is real and lies in the current folder, however it is asked for', async () => {
  machine.file('secret/talk.md');
  machine.file(`${HOME}/boats/a/talk.md`);
  machine.file(`${HOME}/boats/.a/talk.md`);
  machine.file(`${HOME}/boats/talk.md`);
  symlinkSync(absolute('secret'), join(machine.work, 'b'));
  symlinkSync('..', join(machine.work, 'a', 'up'));
  symlinkSync(machine.home, join(machine.work, 'a', 'home'));
  renameSync(machine.file(`${HOME}/talk`), absolute(`${HOME}/talk.md`));
  const name = fc.constantFrom('..', '.', 'a', '.a', 'b', 'up', 'home', 'boats', 'talk.md', '');
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 7 }), async (names) => {
      const found = await outcome([...names, 'talk.md'].join('/').replace(/^\/+/, ''));
      expect([
        'TRANSCRIPT_NOT_ALLOWED',
        'TRANSCRIPT_UNREADABLE',
        `${HOME}/boats/talk.md`,
        `${HOME}/boats/a/talk.md`,
      ]).toContain(found);
    }),
    { numRuns: 100 },
  );
});
