import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** An attack that goes on until it is stopped. */
export interface Attack {
  stop(): void;
}

/** Connections of an attacker; each is opened again when the server closes it, a limited number of times. */
interface Flood {
  /** Loopback addresses that the connections come from. */
  readonly addresses: readonly string[];
  /** Connections of an address. */
  readonly connections: number;
  /** Connections that are opened again, in all. */
  readonly again?: number;
  /** What a connection does; it does not read unless this makes it. */
  attack(socket: Socket): void;
}

let networks = 0;

/** `count` addresses of this machine that nobody has used: some attacks make the server refuse them for a while. */
export function addresses(count: number): string[] {
  networks += 1;
  return Array.from({ length: count }, (_, index) => `127.1.${networks}.${index + 1}`);
}

/** Opens the connections of a flood. */
export function flood(port: number, { addresses: from, connections, again = 200, attack }: Flood): Attack {
  const sockets = new Set<Socket>();
  let left = again;
  let running = true;
  const open = (localAddress: string): void => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('connect', () => attack(socket.pause()));
    socket.once('close', () => {
      sockets.delete(socket);
      left -= 1;
      if (running && left > 0) setTimeout(() => running && open(localAddress), 20);
    });
  };
  for (const address of from) for (let i = 0; i < connections; i++) open(address);
  return {
    stop() {
      running = false;
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends the same request many times at once and reads no answer. */
export function pipelined(path: string, count: number): (socket: Socket) => void {
  return (socket) => void socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(count));
}

/** Reads a few bytes of the answer each second. */
export function readSlowly(path: string): (socket: Socket) => void {
  return (socket) => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const timer = setInterval(() => socket.read(16), 1000);
    socket.once('close', () => clearInterval(timer));
  };
}

/** Sends a request head of which the end never comes, a byte each second. */
export function halfHead(socket: Socket): void {
  socket.write('GET /health HTTP/1.1\r\nHost: a\r\nX-Slow: ');
  const timer = setInterval(() => socket.write('a'), 1000);
  socket.once('close', () => clearInterval(timer));
}

/** Guesses the password of a client, some hundred times a second; more would keep the machine of the test busy. */
export function guessPasswords(port: number, clientId: string, from: readonly string[]): Attack {
  let running = true;
  let guesses = 0;
  const lane = async (localAddress: string): Promise<void> => {
    while (running && guesses < 20_000) {
      guesses += 1;
      const body = JSON.stringify({ client_id: clientId, password: `guess number ${guesses}` });
      await call(port, localAddress, 'POST', '/oauth/client/token', body).catch(() => null);
      await delay(20);
    }
  };
  for (const address of from) for (let i = 0; i < 8; i++) void lane(address);
  return {
    stop() {
      running = false;
    },
  };
}

/** One call on a connection of its own. @returns HTTP status and body */
export async function call(
  port: number,
  localAddress: string,
  method: string,
  path: string,
  body = '',
  headers: Record<string, string> = {},
): Promise<{ http: number; body: string }> {
  const sent = request({ port, host: '127.0.0.1', localAddress, method, path, headers, agent: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return { http: response.statusCode, body: text };
}
