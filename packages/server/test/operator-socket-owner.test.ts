// Who listens on the operator's socket is sent passwords: it must be the owner of the data directory.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockDataDirectory } from '../src/store/data-directory.ts';
import { runWajah } from './support/run-wajah.ts';
import { temporaryDirectory } from './support/temporary.ts';
import { startTestApp } from './support/test-app.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

/** Answers everything, and writes what it was sent into a file beside the socket. */
const listening = `
  const [socket] = process.argv.slice(1);
  require('node:http').createServer((request, response) => {
    request.pipe(require('node:fs').createWriteStream(socket + '.sent'));
    response.end('{"status":"200","password":"of somebody else"}');
  }).listen(socket, () => console.log('listens'));`;

/** Another user listens on a socket. @param uid absent: this one */
async function somebodyListens(
  uid?: number,
): Promise<{ socket: string; sent(): string; child: ChildProcess }> {
  const folder = temporaryDirectory();
  chmodSync(folder, 0o777);
  const socket = join(folder, 'operator.sock');
  const who = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(process.execPath, ['-e', listening, socket], {
    ...who,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout!, 'data');
  const sent = () =>
    statSync(`${socket}.sent`, { throwIfNoEntry: false }) ? readFileSync(`${socket}.sent`, 'utf8') : '';
  return { socket, sent, child };
}

/** A path that is too long for a socket. */
function longDirectory(): string {
  const path = join(temporaryDirectory(), 'd'.repeat(120));
  mkdirSync(path, { mode: 0o700 });
  return path;
}

const resetPassword = async (directory: string) => {
  const env = { WAJAH_DATA_DIR: directory };
  return runWajah(env, 'client', 'reset-password', 'door');
};

/** An installation with the client `door`. */
async function installation(path = temporaryDirectory()): Promise<string> {
  lockDataDirectory(path).release();
  const app = await startTestApp({}, { directory: path });
  expect(await runWajah({ WAJAH_DATA_DIR: path }, 'client', 'create', 'door')).toMatchObject({ code: 0 });
  await app.close();
  return path;
}

describe.skipIf(!isRoot)('a command sends nothing to another user who listens', () => {
  it('where the owner of a long path left a socket in the temporary folder', async () => {
    const path = await installation(longDirectory());
    const { socket, sent } = await somebodyListens(nobody);
    const { dev, ino } = statSync(path);
    const left = { pid: 1, host: hostname(), since: new Date().toISOString(), directory: `${dev}:${ino}` };
    writeFileSync(join(path, 'owner.json'), JSON.stringify({ ...left, operatorSocket: socket }));
    const { code, notes } = await resetPassword(path);
    expect([code, sent(), notes]).toEqual([1, '', expect.stringContaining('no server answers')]);
  });

  it.each([
    [
      'on a socket that lies in the data directory',
      linkSync,
      /belongs to user 65534 and its directory to 0;/,
    ],
    ['over a link to a socket', symlinkSync, /is no socket of a server; remove it; nothing was sent/],
  ])('%s', async (_, place, fault) => {
    const path = await installation();
    const { socket, sent } = await somebodyListens(nobody);
    place(socket, join(path, 'operator.sock'));
    expect(await resetPassword(path)).toMatchObject({ code: 1, notes: expect.stringMatching(fault) });
    expect(sent()).toBe('');
    await expect(startTestApp({}, { directory: path })).rejects.toThrow(fault);
  });

  it('where everybody may write in the data directory', async () => {
    const path = await installation();
    const { socket, sent } = await somebodyListens();
    linkSync(socket, join(path, 'operator.sock'));
    chmodSync(path, 0o777);
    expect(await resetPassword(path)).toMatchObject({ code: 1, notes: expect.stringContaining('chmod 700') });
    expect(sent()).toBe('');
    chmodSync(path, 0o700);
    expect(await resetPassword(path)).toMatchObject({
      code: 0,
      out: expect.stringContaining('somebody else'),
    });
  });
});

describe('the socket of a server', () => {
  it.each([
    ['a short path', () => temporaryDirectory()],
    ['a long path', longDirectory],
  ])('in %s is reached by commands while it runs', async (_, directory) => {
    const path = directory();
    const server = await startTestApp({}, { directory: path });
    expect(statSync(join(path, 'operator.sock')).mode & 0o777).toBe(0o600);
    const env = { WAJAH_DATA_DIR: path };
    expect(await runWajah(env, 'client', 'create', 'door')).toMatchObject({ code: 0 });
    expect(await server.context.store.clients.get('door')).toMatchObject({ clientId: 'door' });
    await server.close();
    expect(statSync(join(path, 'operator.sock'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it.each([
    ['a short path', () => temporaryDirectory()],
    ['a long path', longDirectory],
  ])('in %s that a crash has left keeps no command waiting', async (_, directory) => {
    const path = await installation(directory());
    const { socket, child } = await somebodyListens();
    linkSync(socket, join(path, 'operator.sock'));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const notes = expect.stringContaining('no server answers');
    expect(await resetPassword(path)).toMatchObject({ code: 1, notes });
    await (await startTestApp({}, { directory: path })).close();
  });
});
