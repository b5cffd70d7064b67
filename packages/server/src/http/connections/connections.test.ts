import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/support/temporary.ts';
import { type ClosedFor, type ConnectionLimits, Connections } from './connections.ts';

/** Node's server with bounded connections. */
async function start(handle: RequestListener, limits: Partial<ConnectionLimits> = {}) {
  const closed: ClosedFor[] = [];
  let begun = 0;
  const server = createServer();
  const connections = new Connections(
    { connections: 100, networkConnections: 100, readRate: 0, isProxy: () => false, ...limits },
    {
      handle(request, response) {
        begun += 1;
        handle(request, response);
      },
      refuse: (socket) => socket.end('refused', () => socket.destroy()),
      closed: (reason) => closed.push(reason),
    },
  );
  connections.bound(server);
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  /** A connection, with what it has received. */
  const open = async (localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    atEnd(() => socket.destroy());
    const seen = { text: '', closed: false };
    socket.on('error', () => {});
    socket.on('data', (data) => {
      seen.text += data;
    });
    socket.once('close', () => {
      seen.closed = true;
    });
    await once(socket, 'connect');
    return { socket, seen };
  };
  /** Waits until so many requests have begun. */
  const reached = (count: number) => expect.poll(() => begun, { interval: 1 }).toBe(count);
  return { open, closed, connections, reached, begun: () => begun };
}

/** Answers when it is released. */
function held() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const handle: RequestListener = (_, response) => void released.then(() => response.end('<1>'));
  return { handle, release };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** The last parts of the paths that were answered, in their order. */
const answered = (text: string) => [...text.matchAll(/<(\d+)>/g)].map(([, name]) => Number(name));

describe('requests of a connection', () => {
  it('are answered one after the other, bodies and large answers included', async () => {
    const large = Buffer.alloc(3 * 2 ** 20, '.');
    const { open, closed } = await start(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      response.write(large.subarray(0, Number(body) % 2 === 0 ? large.length : 7));
      response.end(`<${body}>`);
    });
    const { socket, seen } = await open();
    for (let n = 0; n < 100; n++) {
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${String(n).length}\r\n\r\n${n}`);
      await expect.poll(() => answered(seen.text.slice(-20)), { interval: 1 }).toEqual([n]);
      seen.text = '';
    }
    expect(closed).toEqual([]);
  });

  it('are not begun before the last one is answered: the connection and the idle ones beside it are closed', async () => {
    const { handle, release } = held();
    const { open, closed, reached, begun } = await start(handle);
    const [working, idle, flooding] = [await open(), await open(), await open()];
    const neighbour = await open('127.0.0.2');
    working.socket.write(get('/'));
    await reached(1);
    flooding.socket.write(get('/').repeat(5000));
    await expect.poll(() => flooding.seen.closed).toBe(true);
    await expect.poll(() => idle.seen.closed).toBe(true);
    expect([begun(), flooding.seen.text, closed]).toEqual([2, '', ['pipelining', 'pipelining']]);
    expect([neighbour.seen.closed, working.seen.closed]).toEqual([false, false]);
    release();
    await expect.poll(() => answered(working.seen.text)).toEqual([1]);
  });
});

describe('connections', () => {
  const quick: RequestListener = (_, response) => void response.end('<1>');

  it('of a network beyond its limit take the place of its oldest idle one, or are refused', async () => {
    const { handle, release } = held();
    const { open, closed, reached } = await start(handle, { networkConnections: 2 });
    const [first, second] = [await open(), await open()];
    const third = await open();
    await expect.poll(() => first.seen.closed).toBe(true);
    second.socket.write(get('/'));
    third.socket.write(get('/'));
    await reached(2);
    const fourth = await open();
    await expect.poll(() => fourth.seen.closed).toBe(true);
    expect([fourth.seen.text, closed]).toEqual(['refused', ['connections', 'connections']]);
    const neighbour = await open('127.0.0.2');
    release();
    neighbour.socket.write(get('/'));
    for (const one of [second, third, neighbour])
      await expect.poll(() => answered(one.seen.text)).toEqual([1]);
  });

  it('beyond the limit of all take the place of those of the network with most, also of calls in work', async () => {
    const { open, closed, reached } = await start(() => {}, { connections: 4 });
    const many: { socket: Socket; seen: { closed: boolean } }[] = [];
    for (let i = 0; i < 4; i++) many.push(await open());
    for (const { socket } of many) socket.write(get('/'));
    await reached(4);
    const own = await open();
    await expect.poll(() => own.seen.closed).toBe(true);
    const neighbour = await open('127.0.0.2');
    neighbour.socket.write(get('/'));
    await expect.poll(() => many.map(({ seen }) => seen.closed)).toEqual([true, false, false, false]);
    expect([neighbour.seen.closed, closed]).toEqual([false, ['connections', 'connections']]);
  });

  it('of a proxy are limited in all only', async () => {
    const isProxy = (address: string) => address.endsWith('127.0.0.3');
    const { open } = await start(quick, { networkConnections: 1, isProxy });
    const all = [await open('127.0.0.3'), await open('127.0.0.3'), await open('127.0.0.3')];
    for (const { socket } of all) socket.write(get('/'));
    for (const { seen } of all) await expect.poll(() => answered(seen.text)).toEqual([1]);
  });

  it('without a call in work are closed when the server closes', async () => {
    const { handle, release } = held();
    const { open, connections, reached } = await start(handle);
    const [fresh, half, working] = [await open(), await open(), await open()];
    half.socket.write('GET / HT');
    working.socket.write(get('/'));
    await reached(1);
    connections.closeIdle();
    await expect.poll(() => [fresh.seen.closed, half.seen.closed]).toEqual([true, true]);
    release();
    await expect.poll(() => answered(working.seen.text)).toEqual([1]);
  });
});

describe('answers that are not read', () => {
  const large = Buffer.alloc(20 * 2 ** 20);
  const answerLarge: RequestListener = (_, response) => void response.end(large);

  it('are bounded: the oldest of the network is closed', async () => {
    const { open, closed, reached } = await start(answerLarge);
    const all = [await open(), await open(), await open()];
    for (const [i, { socket }] of all.entries()) {
      socket.pause();
      socket.write(get('/'));
      await reached(i + 1);
    }
    // 20 MiB less what the system takes; 32 MiB fit.
    await expect.poll(() => closed).toEqual(['unread', 'unread']);
    const neighbour = await open('127.0.0.2');
    neighbour.socket.write(get('/'));
    await expect.poll(() => neighbour.seen.text.length).toBeGreaterThan(large.length);
  });

  it('are closed after a time that depends on their size', async () => {
    const rate = 20 * 2 ** 20;
    const { open, closed } = await start(answerLarge, { readRate: rate });
    const { socket } = await open();
    socket.pause();
    const begun = performance.now();
    socket.write(get('/'));
    await expect.poll(() => closed).toEqual(['unread']);
    expect(performance.now() - begun).toBeGreaterThan(10_000);
  });

  it('that are written in pieces are closed when none of them was read for a time', async () => {
    const piece = Buffer.alloc(2 ** 20);
    const { open, closed } = await start((_, response) => {
      Readable.from(
        (async function* () {
          for (;;) yield piece;
        })(),
      ).pipe(response);
    });
    const { socket } = await open();
    socket.pause();
    socket.write(get('/'));
    await expect.poll(() => closed).toEqual(['unread']);
  });
});
