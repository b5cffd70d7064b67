import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { loadConfig } from '../../packages/server/src/config/config.ts';
import { textOf } from '../../packages/server/src/config/finding.ts';
import { padPackMissing } from '../../packages/server/src/config/findings.ts';
import { readOwner } from '../../packages/server/src/store/data-directory.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { call, type Json, newClient } from '../support/enrolling.ts';
import {
  childrenOf,
  createInstallation,
  firstClient,
  Run,
  serve,
  wajah,
  wajahHere,
} from '../support/program.ts';

const padNotice = textOf(padPackMissing(loadConfig({})));

async function login(url: string, client_id: string, password: string): Promise<Json> {
  const form = new URLSearchParams({ client_id, password });
  return (await (await fetch(`${url}/oauth/client/token`, { method: 'POST', body: form })).json()) as Json;
}

const onLinux = process.platform === 'linux';

const gallery = '/face-api/facegallery';

/** A call whose body never ends. */
async function hang(url: string, token: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const head = ['POST /face-api/compare-images HTTP/1.1', 'Host: x', `Accesstoken: ${token}`];
  socket.write([...head, 'Content-Type: application/json', 'Content-Length: 999', '', '{"'].join('\r\n'));
  await once(socket, 'connect');
  // The next call on another connection is answered after this one has arrived.
  await fetch(`${url}/health`);
}

describe('a server on an empty data directory', () => {
  const dataDir = temporaryDirectory();
  const settings = { WAJAH_DATA_DIR: dataDir };
  let server: Awaited<ReturnType<typeof serve>>;
  let password = '';
  let token = '';
  let code = '';
  beforeAll(async () => {
    server = await serve(settings);
    const client = await firstClient(server);
    ({ password, token } = client);
    [, code = ''] = /SIGN_IN='\S+\/([\w-]+)'/.exec(readFileSync(client.file, 'utf8')) ?? [];
    expect(statSync(client.file).mode & 0o777).toBe(0o600);
  });

  it('introduces the client demo with a command that works when pasted', async () => {
    const command = await server.waitForOutput(/^ +(.*curl .*)\n/m);
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    expect(JSON.parse(stdout)).toMatchObject({ status: '200', remaining_limit: { n_facegallery: 99 } });
    expect(await login(server.url, 'demo', password)).toMatchObject({ token_type: 'Bearer' });
  });

  it('logs JSON lines, and shows no secret where the output is no terminal', () => {
    const lines = server.out.trim().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('msg');
    for (const secret of [password, token, code]) {
      expect(secret.length).toBeGreaterThan(10);
      expect(server.out + server.err).not.toContain(secret);
    }
  });

  it('is named by a link that signs in, whatever port it has', async () => {
    const { out } = await wajah(settings, 'client', 'sign-in-link', 'demo');
    expect(out).toContain(`${server.url}/console#/sign-in/demo/`);
  });

  it('is ready', async () => {
    const answer = await fetch(`${server.url}/ready`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ pad: 'none', notices: [padNotice] });
    expect(server.err).toContain(`Warning: ${padNotice}\n`);
  });

  it.runIf(onLinux)('decodes in processes without its environment, and loads no decoder itself', () => {
    const decoders = /libvips|libonnxruntime/;
    const [worker = 0] = childrenOf(server.pid);
    expect(readFileSync(`/proc/${server.pid}/maps`, 'utf8')).not.toMatch(decoders);
    expect(readFileSync(`/proc/${worker}/maps`, 'utf8')).toMatch(decoders);
    expect(readFileSync(`/proc/${server.pid}/environ`, 'utf8')).toContain('WAJAH_');
    expect(readFileSync(`/proc/${worker}/oom_score_adj`, 'utf8')).toBe('500\n');
    expect(readFileSync(`/proc/${worker}/environ`, 'utf8')).not.toMatch(/WAJAH_|HOME/);
  });

  it.runIf(onLinux)('replaces a worker that is killed', async () => {
    for (const pid of childrenOf(server.pid)) process.kill(pid, 'SIGSEGV');
    const ready = async () => (await fetch(`${server.url}/ready`)).json();
    await expect.poll(ready).toMatchObject({ workers: { alive: 1, restarts: 1 } });
    await expect.poll(() => server.out).toContain('"reason":"SIGSEGV"');
  });

  it('takes commands while it runs', async () => {
    const created = await wajah(settings, 'client', 'create', 'acme', '--faces', '2', '--json');
    expect(created).toMatchObject({ code: 0, err: '' });
    const acme = JSON.parse(created.out) as { access_token: string; password: string };
    const counters = '/face-api/client/get-counters';
    expect(await call(server.url, acme.access_token, counters)).toMatchObject({
      remaining_limit: { n_face: 2 },
    });
    expect((await wajah(settings, 'client', 'list')).out).toMatch(/^acme +yes .* n_face=0 .* n_face=2 /m);
    expect((await wajah(settings, 'config')).out).toMatch(/^WAJAH_THRESHOLD +0\.\d+ +model pack$/m);
    await wajah(settings, 'client', 'set-quota', 'acme', '--faces', '-1');
    expect(await call(server.url, acme.access_token, counters)).toMatchObject({
      remaining_limit: { n_face: 2_147_483_647 },
    });

    const api = (await wajah(settings, 'token', 'create', 'acme', '--scopes', 'read')).out.trim();
    expect(await call(server.url, api, counters)).toMatchObject({ status: '200' });
    expect((await wajah(settings, 'token', 'revoke', api)).code).toBe(0);
    expect(await call(server.url, api, counters)).toMatchObject({ status: '401' });

    expect((await wajah(settings, 'client', 'delete', 'acme')).code).toBe(1);
    expect((await wajah(settings, 'client', 'delete', 'acme', '--yes')).code).toBe(0);
    expect(await call(server.url, acme.access_token, counters)).toMatchObject({ status: '401' });
  });

  it('reports an unsupported command in one line', async () => {
    const again = await wajah(settings, 'client', 'create', 'demo');
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toMatch(/^wajah: .*demo exists already.*\n$/);
    expect((await wajah(settings, 'client', 'creat')).code).toBe(2);
  });

  it('keeps a second server out and names itself', async () => {
    const second = await wajah({ ...settings, WAJAH_PORT: '0' }, 'serve');
    expect(second).toMatchObject({ code: 1, out: '' });
    expect(second.err).toContain(`is owned by process ${server.pid} `);
    expect(second.err).not.toContain('    at ');
  });

  it('stops with code 0 and loses no data when it is stopped while a call hangs, or killed, and started again', async () => {
    const image = (await drawnFace()).toString('base64');
    await call(server.url, token, `${gallery}/create-facegallery`, { facegallery_id: 'kept' });
    const face = { facegallery_id: 'kept', user_id: 'u1', user_name: 'One', image, force_register: true };
    expect(await call(server.url, token, `${gallery}/enroll-face`, face)).toMatchObject({ status: '200' });

    // It is closed when the drain time has passed.
    await hang(server.url, token);
    expect(await server.stop('SIGINT')).toMatchObject({ code: 0 });
    expect((await wajah(settings, 'client', 'list')).out).toMatch(/^demo +yes .* n_face=1 /m);
    server = await serve(settings);
    expect(server.err).not.toContain('password');
    const second = { ...face, user_id: 'u2', user_name: 'Two' };
    expect(await call(server.url, token, `${gallery}/enroll-face`, second)).toMatchObject({ status: '200' });

    expect(await server.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    server = await serve(settings);
    const listed = await call(server.url, token, `${gallery}/list-faces`, { facegallery_id: 'kept' });
    expect(listed['faces']).toEqual([
      { user_id: 'u1', user_name: 'One' },
      { user_id: 'u2', user_name: 'Two' },
    ]);
    const verified = await call(server.url, token, `${gallery}/verify-face`, face);
    expect(verified).toMatchObject({ verified: true, similarity: 1 });
    expect(await login(server.url, 'demo', password)).toHaveProperty('access_token');

    // As well with SIGTERM, though its output is closed.
    server.closeStderr();
    expect(await server.stop('SIGTERM')).toMatchObject({ code: 0, signal: null });
    expect(server.out).toContain('"msg":"stopped"');
  });
});

describe('a server that stops while a call hangs', () => {
  it('ends at once at the second signal', async () => {
    const server = await serve({ WAJAH_DATA_DIR: temporaryDirectory() });
    await hang(server.url, (await firstClient(server)).token);
    void server.stop('SIGINT');
    await server.waitForOutput(/SIGINT: finishing running calls/);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await server.stop('SIGINT')).toMatchObject({ code: 130 });
  });
});

describe('commands without a server', () => {
  it('say how to start one', async () => {
    const settings = { WAJAH_DATA_DIR: join(temporaryDirectory(), 'data') };
    await createInstallation(settings);
    const { code, err } = await wajahHere(settings, 'client', 'create', 'acme');
    expect([code, err]).toEqual([
      1,
      `wajah: no server answers in ${settings.WAJAH_DATA_DIR} (WAJAH_DATA_DIR), and this command asks one: start it with \`wajah serve\`, or as a service, and run this command again\n`,
    ]);
  });

  it('wait for one that starts', async () => {
    const settings = { WAJAH_DATA_DIR: join(temporaryDirectory(), 'data') };
    await createInstallation(settings);
    const server = new Run(settings, ['serve']);
    while (readOwner(settings.WAJAH_DATA_DIR) === null) await delay(20);
    expect(await wajahHere(settings, 'client', 'list')).toMatchObject({ code: 0 });
    await server.waitForOutput(/listens on/);
    await server.stop('SIGTERM');
  });
});

describe('a start that fails', () => {
  /** The one line that was said. */
  async function refused(settings: Readonly<Record<string, string>>): Promise<string> {
    const { code, out, err } = await wajahHere(
      { WAJAH_DATA_DIR: join(temporaryDirectory(), 'data'), ...settings },
      'serve',
    );
    expect(code).toBe(1);
    expect(out).toBe('');
    const lines = err
      .trim()
      .split('\n')
      .filter((line) => !/is starting …$|^New installation/.test(line));
    expect(lines).toHaveLength(1);
    return lines[0] ?? '';
  }

  it('names a bad setting, its value and what is allowed', async () => {
    expect(await refused({ WAJAH_PORT: 'http' })).toBe(
      'wajah: WAJAH_PORT is "http"; allowed: a whole number from 0 to 65535',
    );
  });

  it('names a data directory that cannot be created', async () => {
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    expect(await refused({ WAJAH_DATA_DIR: join(file, 'data') })).toMatch(
      /^wajah: WAJAH_DATA_DIR: .*ENOTDIR/,
    );
  });

  it('names a file that is not a database', async () => {
    const dataDir = join(temporaryDirectory(), 'data');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'wajah.db'), 'this is no database'.repeat(100));
    expect(await refused({ WAJAH_DATA_DIR: dataDir })).toMatch(/wajah\.db .*restore it from a backup/);
  });

  it('refuses another key than the one that the data were sealed under', async () => {
    const WAJAH_DATA_DIR = temporaryDirectory();
    const right = { WAJAH_DATA_DIR, WAJAH_SECRET_KEY: '11'.repeat(32) };
    expect((await wajah(right, 'client', 'create', 'acme')).code).toBe(0);
    const line = await refused({ WAJAH_DATA_DIR, WAJAH_SECRET_KEY: '22'.repeat(32) });
    expect(line).toMatch(/^wajah: WAJAH_SECRET_KEY .*not the key/);
    expect(line).not.toContain('2222');
  });

  it('names a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    try {
      const server = new Run(
        { WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_PORT: String(port), WAJAH_LOG_LEVEL: 'silent' },
        ['serve'],
      );
      expect(await server.finished).toMatchObject({ code: 1 });
      expect(server.err).toContain(`Cannot listen on 127.0.0.1:${port}: the port is taken`);
      expect(server.err).not.toContain('    at ');
    } finally {
      other.close();
    }
  });

  it('warns about an unknown setting', async () => {
    const settings = { WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_TRESHOLD: '0.5' };
    const server = new Run({ WAJAH_PORT: '0', ...settings }, ['serve']);
    expect(await server.waitForOutput(/Warning: WAJAH_TRESHOLD .*/)).toContain(
      'is no setting; did you mean WAJAH_THRESHOLD?',
    );
    await server.stop('SIGKILL');
  });
});

// The inference library would leave the marks of its telemetry there.
it('enrols and verifies, and leaves nothing behind among temporary files', async () => {
  const scratch = temporaryDirectory();
  const settings = { WAJAH_DATA_DIR: temporaryDirectory(), TMPDIR: scratch };
  const server = await serve(settings);
  const client = await newClient(settings, 'acme');
  await client.enrol(server.url, 'ani', 'ani');
  expect(await client.identify(server.url, 'ani')).toMatchObject({ status: '200' });
  await server.stop('SIGTERM');
  expect(readdirSync(scratch)).toEqual([]);
});
