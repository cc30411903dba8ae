export interface Remote {
  /** `owner/repo`, or longer where the host has groups in groups. */
  readonly name: string;
  /** The address without user, password, query and fragment. */
  readonly url: string;
}

const SCP = /^(?:[^/@:]*@)?(\[[0-9A-Fa-f:]+\]|[^/@:[\]]{2,}):\/*([^/@:][^/@]*(?:\/.*)?)$/;
const HOSTED: ReadonlySet<string> = new Set(['https:', 'http:', 'ssh:', 'git:', 'git+ssh:']);

/** What a remote's address says, or `undefined` where it is not on a host (a path, a file URL). */
export function parseRemote(address: string): Remote | undefined {
  const scp = address.includes('://') ? null : SCP.exec(address);
  const full = scp ? `ssh://${scp[1]}/${scp[2]}` : address;
  if (!URL.canParse(full)) return undefined;
  const { protocol, host, pathname } = new URL(full);
  const name = pathname.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  if (!HOSTED.has(protocol) || host === '' || name === '') return undefined;
  return { name, url: `${protocol}//${host}${pathname}` };
}
