import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { endpoints } from '../../../../packages/contract/dist/index.js';
import type { BenchServer } from './server.ts';
import { startBenchServer } from './server.ts';

const mebibyte = 2 ** 20;

/** Bodies that are sent at a time. */
interface Flood {
  readonly connections: number;
  readonly bytes: number;
  /** Content-Type; absent: none. */
  readonly type?: string;
}

/**
 * Floods a server with bodies of every kind and reports its memory: resident megabytes before, at most, and 30 s after.
 * @param build by default that of this checkout
 */
export async function floodBodies(build?: string): Promise<void> {
  const options = { clients: 4 };
  const server = await startBenchServer({}, build === undefined ? options : { ...options, build });
  const shown = async () => Math.round((await server.usage()).memory.server / 1e6);
  // The first calls allocate what every server keeps.
  await flood(server, { connections: 2, bytes: mebibyte }, wholeBody);
  console.log('| flood | before | at most | 30 s after |\n| --- | --- | --- | --- |');
  for (const [name, size, send] of [
    ['150 × 27 MiB, not ended', { connections: 150, bytes: 27 * mebibyte }, unfinishedBody],
    ['150 × 27 MiB of JSON', { connections: 150, bytes: 27 * mebibyte }, wholeBody],
    ['600 × 8 MiB of JSON', { connections: 600, bytes: 8 * mebibyte }, wholeBody],
    ['150 × 27 MiB of forms', { connections: 150, bytes: 27 * mebibyte, type: formType }, wholeForm],
  ] as const) {
    const before = await shown();
    let most = before;
    let sending = true;
    const watch = (async () => {
      while (sending) {
        most = Math.max(most, await shown());
        await pause(50);
      }
    })();
    const statuses = await flood(server, size, send);
    sending = false;
    await watch;
    await pause(30_000);
    console.log(`| ${name} (${tally(statuses)}) | ${before} | ${most} | ${await shown()} |`);
  }
  await server.stop();
}

type Send = (socket: Socket, bytes: number, answered: Promise<unknown>) => Promise<void>;

/** @returns the status of each answer; 0: none */
function flood(server: BenchServer, { connections, bytes, type }: Flood, send: Send): Promise<number[]> {
  const { hostname, port } = new URL(server.url);
  const one = async (_: unknown, index: number): Promise<number> => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString('latin1');
    });
    socket.on('error', () => {});
    socket.setMaxListeners(0);
    await once(socket, 'connect');
    const token = server.tokens[index % server.tokens.length];
    const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    socket.write(
      `POST ${endpoints.compareImages.path} HTTP/1.1\r\nHost: h\r\nAccesstoken: ${token}\r\n${kind}Content-Length: ${bytes}\r\n\r\n`,
    );
    const answered = new Promise((resolve) => socket.once('data', resolve));
    await Promise.race([send(socket, bytes, answered), once(socket, 'close')]);
    socket.destroy();
    return Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 0);
  };
  return Promise.all(Array.from({ length: connections }, one));
}

/** Two fields of base64 as large as pictures may be, the rest in a third; then waits for the answer. */
const wholeBody: Send = async (socket, bytes, answered) => {
  const picture = Math.min(13_900_000, Math.floor(bytes / 2) - 100);
  const rest = bytes - 2 * picture - '{"source_image":"","target_image":"","other":""}'.length;
  await writeField(socket, '{"source_image":"', picture);
  await writeField(socket, '","target_image":"', picture);
  await writeField(socket, '","other":"', rest);
  socket.write('"}');
  await Promise.race([answered, pause(60_000)]);
};

const formType = 'multipart/form-data; boundary=b';

/** Two files as large as pictures may be, the rest in a text; then waits for the answer. */
const wholeForm: Send = async (socket, bytes, answered) => {
  const file = (name: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n\r\n`;
  const text = '\r\n--b\r\nContent-Disposition: form-data; name="other"\r\n\r\n';
  const [source, target, end] = [file('source_image'), `\r\n${file('target_image')}`, '\r\n--b--\r\n'];
  const picture = 10 * mebibyte;
  const rest = bytes - 2 * picture - `${source}${target}${text}${end}`.length;
  await writeField(socket, source, picture);
  await writeField(socket, target, picture);
  await writeField(socket, text, rest);
  socket.write(end);
  await Promise.race([answered, pause(60_000)]);
};

/** All bytes but the last. The connection stays open for a while. */
const unfinishedBody: Send = async (socket, bytes) => {
  await writeField(socket, '', bytes - 1);
  await pause(5000);
};

const letters = Buffer.alloc(mebibyte, 'A');

async function writeField(socket: Socket, head: string, bytes: number): Promise<void> {
  socket.write(head);
  for (let left = bytes; left > 0; left -= letters.length) {
    if (!socket.write(letters.subarray(0, left))) await drained(socket);
  }
}

async function drained(socket: Socket): Promise<void> {
  await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
}

function tally(statuses: readonly number[]): string {
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} answered ${status || 'not'}`).join(', ');
}
