import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createProxy, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { join } from 'node:path';
import { atEnd, temporaryDirectory } from '../../packages/server/test/support/temporary.ts';

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A certificate of the host by an authority that no system knows. @returns the file of the authority */
function makeCertificate(folder: string, host: string): string {
  const openssl = (line: string) =>
    execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' });
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  openssl(`req -x509 ${key} -subj /CN=authority -days 2 -keyout ca.key -out ca.pem`);
  openssl(`req ${key} -subj /CN=${host} -keyout host.key -out host.csr`);
  writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${host}`);
  openssl(
    'x509 -req -in host.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out host.pem',
  );
  return join(folder, 'ca.pem');
}

/**
 * A proxy that leads every name to this machine, and refuses who has no password.
 * @param host whose certificate is shown there
 * @param answer what is answered there
 * @returns `settings` of a program that goes through it; `asked`: who was asked for, as `host:port`
 */
export async function startTlsProxy(host: string, answer: RequestListener) {
  const folder = temporaryDirectory();
  const authority = makeCertificate(folder, host);
  const [key, cert] = ['host.key', 'host.pem'].map((name) => readFileSync(join(folder, name)));
  const target = await portOf(createServer({ key, cert }, answer));
  const asked: string[] = [];
  const server = createProxy();
  server.on('connect', ({ url = '', headers }, socket) => {
    asked.push(url);
    if (headers['proxy-authorization'] === undefined)
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const there = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    for (const end of [socket, there]) end.on('error', () => there.destroy());
  });
  const address = `127.0.0.1:${await portOf(server)}`;
  const settings = { HTTPS_PROXY: `http://user:secret@${address}`, NODE_EXTRA_CA_CERTS: authority };
  return { address, settings, asked };
}
