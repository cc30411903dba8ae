import { posix } from 'node:path';
import type { components } from '@octokit/openapi-types';
import { FULL_ID, type TreeEntry } from './bare-repository.ts';
import { nodeId } from './github-facts.ts';
import { type ApiAnswer, malformedId, notFound, tooLarge } from './github-refusals.ts';
import type { Asked } from './github-routes.ts';

type Schemas = components['schemas'];

const MEGABYTE = 1024 * 1024;
const RAW = /^application\/vnd\.github\.(v3\.)?raw(\+json)?$/;
const RAW_HEADERS = { 'Content-Type': 'application/vnd.github.raw+json; charset=utf-8' };

/** `GET /repos/{owner}/{repo}/git/blobs/{file_sha}`. */
export async function blob({ hosted, argument: id, url, accept, blobLimit }: Asked): Promise<ApiAnswer> {
  if (!FULL_ID.test(id)) return malformedId();
  if ((await hosted.repository.typeOf(id)) !== 'blob') return notFound();
  const size = await hosted.repository.sizeOf(id);
  if (size > blobLimit) return tooLarge(blobLimit / MEGABYTE);
  const bytes = await hosted.repository.blob(id);
  if (RAW.test(accept)) return { status: 200, headers: RAW_HEADERS, body: bytes };
  const body: Schemas['blob'] = {
    sha: id,
    node_id: nodeId('Blob', id),
    size,
    url: `${url}/git/blobs/${id}`,
    content: inLines(bytes),
    encoding: 'base64',
  };
  return { status: 200, body };
}

/** `GET /repos/{owner}/{repo}/contents/{path}` of a file or a folder. */
export async function contents(asked: Asked): Promise<ApiAnswer> {
  const { repository } = asked.hosted;
  const ref = asked.query.get('ref') ?? (await repository.defaultBranch());
  const commit = await repository.commitId(ref);
  if (!commit) return notFound(`No commit found for the ref ${ref}`);
  const path = asked.argument.replace(/\/$/, '');
  const tree = await repository.folderAt(commit, path);
  if (tree) return folder(asked, tree, path, ref);
  const entry = await repository.entryAt(commit, path);
  if (!entry) return notFound();
  if (entry.type === 'commit' || entry.mode === SYMLINK) throw new Error('not modelled');
  return file(asked, entry, ref);
}

const SYMLINK = '120000';

async function folder(asked: Asked, tree: string, path: string, ref: string): Promise<ApiAnswer> {
  const entries = await asked.hosted.repository.list(tree, { recursive: false });
  const body: Schemas['content-directory'] = entries.map((entry) => ({
    ...place(asked, { ...entry, path: posix.join(path, entry.path) }, ref),
    type: kindOf(entry),
  }));
  return { status: 200, body };
}

/** Submodules stand as files in a folder, as GitHub's documentation says. */
function kindOf({ type, mode }: TreeEntry): 'dir' | 'file' | 'symlink' {
  if (type === 'tree') return 'dir';
  return mode === SYMLINK ? 'symlink' : 'file';
}

async function file(asked: Asked, entry: TreeEntry, ref: string): Promise<ApiAnswer> {
  const size = entry.size as number;
  if (size > asked.blobLimit) return tooLarge(asked.blobLimit / MEGABYTE);
  const bytes = await asked.hosted.repository.blob(entry.id);
  if (RAW.test(asked.accept)) return { status: 200, headers: RAW_HEADERS, body: bytes };
  const body: Schemas['content-file'] = {
    ...place(asked, entry, ref),
    type: 'file',
    ...(size > MEGABYTE
      ? { content: '', encoding: 'none' }
      : { content: inLines(bytes), encoding: 'base64' }),
  };
  return { status: 200, body };
}

/** What an entry is called, and its addresses. */
function place({ hosted, url, origin }: Asked, { path, id, type, size = 0 }: TreeEntry, ref: string) {
  const inUrl = path.split('/').map(encodeURIComponent).join('/');
  const self = `${url}/contents/${inUrl}?ref=${encodeURIComponent(ref)}`;
  const git = type === 'commit' ? null : `${url}/git/${type}s/${id}`;
  const html = `${origin.web}/${hosted.name}/${type}/${ref}/${inUrl}`;
  const raw = type === 'blob' ? `${origin.raw}/${hosted.name}/${ref}/${inUrl}` : null;
  return {
    name: posix.basename(path),
    path,
    sha: id,
    size,
    url: self,
    git_url: git,
    html_url: html,
    download_url: raw,
    _links: { self, git, html },
  };
}

/** In base64 as GitHub writes it: lines of 60 characters. */
function inLines(bytes: Buffer): string {
  return bytes.toString('base64').replace(/.{1,60}/g, '$&\n');
}
