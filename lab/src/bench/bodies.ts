// Processor time in which a server reads bodies of every kind, in pieces of every size: ten times the bytes must take
// about ten times as long, and what takes more than --most times is named; the program then ends with 1.
//   npm run bench bodies -- [--pieces 1,100,65536,1048576] [--only REGEXP] [--rounds 3] [--most 20]
//     [--against ../before/packages/server/dist]
// --against: another build of the server. The least of the rounds counts.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { endpoints } from '../../../packages/contract/dist/index.js';
import { bodyOf, type Kind, kinds } from './bodies/kinds.ts';
import { type BenchServer, ownBuild, startBenchServer } from './load/server.ts';

const { values } = parseArgs({
  options: {
    pieces: { type: 'string', default: '1,100,65536,1048576' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    most: { type: 'string', default: '20' },
    against: { type: 'string', default: ownBuild },
  },
});

const mebibyte = 2 ** 20;

/** The chunks of HTTP (RFC 9112, section 7.1) that a body is sent in, a mebibyte or more at a time. */
function* chunksOf(body: Buffer, piece: number): Generator<Buffer> {
  const head = Buffer.from(`${piece.toString(16)}\r\n`);
  const chunk = Buffer.concat([head, Buffer.alloc(piece), Buffer.from('\r\n')]);
  const together = Math.ceil(mebibyte / chunk.length);
  const whole = Math.floor(body.length / piece);
  for (let from = 0; from < whole; from += together) {
    const count = Math.min(together, whole - from);
    const block = Buffer.alloc(count * chunk.length, chunk);
    for (let at = 0; at < count; at++)
      body.copy(block, at * chunk.length + head.length, (from + at) * piece, (from + at + 1) * piece);
    yield block;
  }
  const rest = body.subarray(whole * piece);
  const last = rest.length > 0 ? [Buffer.from(`${rest.length.toString(16)}\r\n`), rest, '\r\n'] : [];
  yield Buffer.concat([...last, '0\r\n\r\n'].map((part) => Buffer.from(part)));
}

/** Sends a body whole, and then a request that is answered when it was read. @returns the status of its answer */
async function send(server: BenchServer, kind: Kind, body: Buffer, piece: number): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  let received = '';
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  const closed = once(socket, 'close');
  const { path } = kind.name.startsWith('urlencoded') ? endpoints.clientToken : endpoints.detectFaces;
  const head = `POST ${path} HTTP/1.1\r\nHost: h\r\nAccesstoken: ${server.tokens[0]}\r\nContent-Type: ${kind.type}\r\n`;
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  for (const block of chunksOf(body, piece)) {
    if (!socket.write(block)) await Promise.race([once(socket, 'drain'), closed]);
    if (socket.destroyed) break;
  }
  while (received === '' && !socket.destroyed) await Promise.race([once(socket, 'data'), closed]);
  await end(socket, closed);
  return /^HTTP\/1.1 (\d+)/.exec(received)?.[1] ?? 'none';
}

async function end(socket: Socket, closed: Promise<unknown>): Promise<void> {
  socket.write('GET /health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  await closed;
}

interface Measured {
  /** Of the server's process, milliseconds. */
  readonly ms: number;
  readonly status: string;
}

async function measure(server: BenchServer, kind: Kind, bytes: number, piece: number): Promise<Measured> {
  const body = bodyOf(kind, bytes);
  let least: Measured = { ms: Number.POSITIVE_INFINITY, status: '' };
  for (let round = 0; round < Number(values.rounds); round++) {
    await server.watch('cpu');
    const status = await send(server, kind, body, piece);
    const { cpu } = await server.watched();
    if (cpu.server * 1000 < least.ms) least = { ms: cpu.server * 1000, status };
  }
  return least;
}

console.log(`${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}\n`);
const server = await startBenchServer({}, { build: values.against });
const [warm] = kinds;
for (let call = 0; call < 20; call++) await send(server, warm!, bodyOf(warm!, mebibyte), 65_536);
const tooLong: string[] = [];
console.log(
  '| body | piece, bytes | status | 1 MiB, ms | 10 MiB, ms | × |\n| --- | --- | --- | --- | --- | --- |',
);
for (const kind of kinds.filter(({ name }) => new RegExp(values.only).test(name))) {
  for (const piece of values.pieces.split(',').map(Number)) {
    const small = await measure(server, kind, mebibyte, piece);
    const large = await measure(server, kind, 10 * mebibyte, piece);
    const factor = large.ms / small.ms;
    if (factor > Number(values.most))
      tooLong.push(`${kind.name}, in pieces of ${piece}: ${factor.toFixed(1)} ×`);
    const figures = [small.ms.toFixed(1), large.ms.toFixed(1), factor.toFixed(1)];
    console.log(`| ${[kind.name, piece, large.status, ...figures].join(' | ')} |`);
  }
}
await server.stop();
for (const line of tooLong) console.error(line);
if (tooLong.length > 0) process.exitCode = 1;
