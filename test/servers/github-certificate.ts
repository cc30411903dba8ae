import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  /** The file of the authority that vouches for the certificate. */
  readonly authority: string;
  readonly key: Buffer;
  readonly cert: Buffer;
}

type Made = Omit<Certificate, 'authority'> & { readonly authority: Buffer };

/** By hosts: keys take their time. */
const made = new Map<string, Made>();

/** Makes an authority of its own and a certificate for these hosts, and leaves the authority's file in the folder. */
export function makeCertificate(folder: string, hosts: readonly string[]): Certificate {
  const names = hosts.join();
  const { authority, ...certificate } = made.get(names) ?? make(hosts);
  made.set(names, { authority, ...certificate });
  const file = join(folder, 'ca.pem');
  writeFileSync(file, authority);
  return { authority: file, ...certificate };
}

function make(hosts: readonly string[]): Made {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-certificate-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const read = (name: string) => readFileSync(join(folder, name));
  const names = hosts.map((host) => `DNS:${host}`).join(',');
  writeFileSync(join(folder, 'openssl.cnf'), `${CONFIGURATION}subjectAltName = ${names}\n`);
  const request = ['req', '-config', 'openssl.cnf', '-nodes', ...NEW_KEY];
  openssl(
    ...request,
    '-x509',
    '-extensions',
    'authority',
    '-subj',
    '/CN=Tests',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  );
  openssl(...request, '-subj', `/CN=${hosts[0]}`, '-keyout', 'host.key', '-out', 'host.csr');
  const sign = ['x509', '-req', '-in', 'host.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
  openssl(...sign, '-extfile', 'openssl.cnf', '-extensions', 'host', '-out', 'host.pem');
  const certificate = { authority: read('ca.pem'), key: read('host.key'), cert: read('host.pem') };
  rmSync(folder, { recursive: true });
  return certificate;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];

const CONFIGURATION = `
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[host]
basicConstraints = CA:FALSE
authorityKeyIdentifier = keyid
`;
