import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '../../packages/server/test/support/postgres.ts';
import { atEnd, temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import type { Json } from './enrolling.ts';
import { executableOf } from './executable.ts';

export const nginx = executableOf(['/usr/sbin/nginx', '/usr/bin/nginx', '/opt/homebrew/bin/nginx']);
export const caddy = executableOf(['/usr/bin/caddy']);

/** A proxy with TLS on this machine. */
export interface TlsProxy {
  readonly url: string;
  /** The certificate of its authority, PEM. */
  readonly authority: string;
}

/** Runs a program until the test or file ends. */
function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  atEnd(() => void child.kill());
}

/** Runs nginx. @param text what stands in `http` of its configuration */
export function runNginx(text: string): void {
  const folder = temporaryDirectory();
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  // As root its workers would be another user, to whom this folder is closed.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const file = join(folder, 'nginx.conf');
  const main = `${user} daemon off; pid ${join(folder, 'pid')}; error_log stderr crit; events {}`;
  writeFileSync(file, `${main}\nhttp { access_log off; ${own.join(' ')}\n${text}\n}\n`);
  run(nginx!, ['-p', folder, '-e', 'stderr', '-c', file]);
}

/** A configuration with these servers at the places of its own. @param urls of servers that listen here */
export function withServers(text: string, urls: readonly string[]): string {
  const places = [...new Set(text.match(/[\w.-]+:8080\b/g))];
  return places.reduce((all, place, i) => all.replaceAll(place, new URL(urls[i % urls.length]!).host), text);
}

/** Runs nginx by a configuration with TLS on port 443. @param urls as of `withServers` */
export async function startNginx(text: string, urls: readonly string[]): Promise<TlsProxy> {
  const [folder, port] = [temporaryDirectory(), await freePort()];
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', certificate], {
    stdio: 'pipe',
  });
  runNginx(
    withServers(text, urls)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace(/(ssl_certificate) +\S+;/, `$1 ${certificate};`)
      .replace(/(ssl_certificate_key) +\S+;/, `$1 ${key};`),
  );
  return answering({ url: `https://localhost:${port}`, authority: readFileSync(certificate, 'utf8') });
}

/** Runs Caddy by a Caddyfile of a public name, with an authority of its own. @param urls as of `withServers` */
export async function startCaddy(text: string, urls: readonly string[]): Promise<TlsProxy> {
  const [folder, port] = [temporaryDirectory(), await freePort()];
  const url = `https://localhost:${port}`;
  const options = `{\nadmin off\nskip_install_trust\nauto_https disable_redirects\n}\n`;
  const file = join(folder, 'Caddyfile');
  const site = withServers(text, urls).replace('faces.example.com {', `${url} {\ntls internal`);
  writeFileSync(file, `${options}${site}\n`);
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  run(caddy!, ['run', '--config', file], env);
  const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
  const certified = await vi.waitFor(() => readFileSync(authority, 'utf8'), { timeout: 60_000 });
  return answering({ url, authority: certified });
}

async function answering(proxy: TlsProxy): Promise<TlsProxy> {
  await vi.waitFor(() => send(proxy, '/health'), { timeout: 60_000 });
  return proxy;
}

/** A call through the proxy: with a JSON body, or by GET. @param from the caller's address */
export function send(
  { url, authority }: TlsProxy,
  path: string,
  { body, headers = {}, from }: { body?: object; headers?: Record<string, string>; from?: string } = {},
) {
  const text = body && JSON.stringify(body);
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: Json }>((resolve, reject) => {
    const call = request(
      url + path,
      {
        ca: authority,
        agent: false,
        ...(from && { localAddress: from }),
        method: text ? 'POST' : 'GET',
        headers: {
          ...headers,
          ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      async (answer) => {
        const chunks = await answer.toArray();
        const said = Buffer.concat(chunks).toString();
        const json = said.startsWith('{') ? (JSON.parse(said) as Json) : { said };
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: json });
      },
    );
    call.on('error', reject);
    call.end(text);
  });
}
