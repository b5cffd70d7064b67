import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * Sends prepared requests over connections that are kept, each with one request at a time. An HTTP client would take
 * several times the CPU time, which the server lacks then.
 */
export class Connections {
  readonly #address: URL;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();

  constructor(url: string) {
    this.#address = new URL(url);
  }

  /** @returns the HTTP status, and the body when it is asked for */
  async send(request: Buffer): Promise<Answer> {
    const connection = this.#idle.pop() ?? (await this.#open());
    const answer = await connection.ask(request);
    this.#idle.push(connection);
    return answer;
  }

  close(): void {
    for (const { socket } of this.#all) socket.destroy();
  }

  async #open(): Promise<Connection> {
    const socket = connect(Number(this.#address.port), this.#address.hostname);
    await once(socket, 'connect');
    const connection = new Connection(socket.setNoDelay());
    this.#all.add(connection);
    return connection;
  }
}

export interface Answer {
  readonly status: number;
  /** Seconds of the header Retry-After. */
  readonly retryAfter: number;
}

class Connection {
  readonly socket: Socket;
  #received = '';
  #resolve: (answer: Answer) => void = () => {};

  constructor(socket: Socket) {
    this.socket = socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#received += text;
      this.#read();
    });
    socket.on('error', () => {});
    socket.on('close', () => this.#resolve({ status: 0, retryAfter: 1 }));
  }

  ask(request: Buffer): Promise<Answer> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      if (this.socket.destroyed) resolve({ status: 0, retryAfter: 1 });
      else this.socket.write(request);
    });
  }

  #read(): void {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < end + 4 + length) return;
    this.#received = this.#received.slice(end + 4 + length);
    const retryAfter = Number(/retry-after: (\d+)/i.exec(head)?.[1] ?? 1);
    this.#resolve({ status: Number(head.slice(9, 12)), retryAfter });
  }
}

/** A request of a client as it is sent. */
export function requestOf(path: string, token: string, fields: object): Buffer {
  const body = JSON.stringify(fields);
  const head = `POST ${path} HTTP/1.1\r\nHost: h\r\nAccesstoken: ${token}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.from(head + body);
}
