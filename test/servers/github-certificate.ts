import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  /** The file of the authority that vouches for the certificate. */
  readonly authority: string;
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** Makes an authority of its own and a certificate for these hosts; their files are left in the folder. */
export function makeCertificate(folder: string, hosts: readonly string[]): Certificate {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
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
  return {
    authority: join(folder, 'ca.pem'),
    key: readFileSync(join(folder, 'host.key')),
    cert: readFileSync(join(folder, 'host.pem')),
  };
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
