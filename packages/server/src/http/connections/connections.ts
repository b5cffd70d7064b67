import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import ipaddr from 'ipaddr.js';
import { Counter, type Registry } from 'prom-client';

export interface ConnectionLimits {
  /** Open connections, in all and of one network. */
  readonly connections: number;
  readonly networkConnections: number;
  /** Least mean rate at which an answer is read after a grace period, bytes a second; 0: any. */
  readonly readRate: number;
  /** Whether an address is that of a reverse proxy, which has the connections of many callers. */
  isProxy(address: string): boolean;
}

/** What is done with a request, and what is told of a connection that a limit closes. */
interface ConnectionHandlers {
  readonly handle: RequestListener;
  /** Answers a connection that is refused before its first request, and closes it. */
  readonly refuse: (socket: Socket) => void;
  readonly closed: (reason: ClosedFor) => void;
}

/** Why connections are closed: too many; a request before the answer to the last one; an answer that is not read. */
const closeReasons = ['connections', 'pipelining', 'unread'] as const;
export type ClosedFor = (typeof closeReasons)[number];

/** Bytes of answers that wait to be sent: in all, and of one network. */
const maxUnsent = { all: 128 * 2 ** 20, network: 32 * 2 ** 20 };

/** Time in which an answer, or a part of one, may be read at any rate, milliseconds. */
const readGrace = 10_000;

interface Connection {
  readonly socket: Socket;
  readonly network: Network;
  /** The answer that is not sent. */
  current: ServerResponse | null;
  /** Bytes of it that wait to be sent, once it is complete. */
  unsent: number;
  /** Closes it when the answer is not read by then. */
  readDeadline: NodeJS.Timeout | undefined;
}

interface Network {
  readonly name: string;
  /** False for a proxy, which is bounded in all only. */
  readonly bounded: boolean;
  /** Each set has the oldest first. */
  readonly connections: Set<Connection>;
  readonly unread: Set<Connection>;
  unsent: number;
}

/**
 * Bounds what callers make the server hold, before anybody knows who they are: connections, and answers that are not
 * read. A connection has one request at a time. Where connections or unread answers are too many, the network that has
 * the most gives up its oldest one.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #handlers: ConnectionHandlers;
  readonly #open = new Map<Duplex, Connection>();
  readonly #networks = new Map<string, Network>();
  #unsent = 0;

  constructor(limits: ConnectionLimits, handlers: ConnectionHandlers) {
    this.#limits = limits;
    this.#handlers = handlers;
  }

  /** Bounds the connections of a server, which has no other handler of requests. */
  bound(server: Server): void {
    server.on('connection', (socket) => this.#accept(socket));
    server.on('request', (request, response) => this.#receive(request, response));
  }

  /** Closes the connections without a request in work. Some may have sent a part of a head, others nothing yet. */
  closeIdle(): void {
    for (const connection of this.#open.values()) if (isIdle(connection)) connection.socket.destroy();
  }

  /** The answer of a connection that is not sent. */
  unanswered(socket: Duplex): ServerResponse | null {
    return this.#open.get(socket)?.current ?? null;
  }

  #accept(socket: Socket): void {
    const network = this.#networkOf(socket.remoteAddress ?? '');
    if (!this.#makeRoom(network)) {
      this.#handlers.closed('connections');
      this.#handlers.refuse(socket);
      return;
    }
    const connection: Connection = { socket, network, current: null, unsent: 0, readDeadline: undefined };
    this.#open.set(socket, connection);
    this.#networks.set(network.name, network);
    network.connections.add(connection);
    socket.once('close', () => this.#forget(connection));
  }

  #networkOf(address: string): Network {
    const name = networkOf(address);
    const created: Network = {
      name,
      bounded: !this.#limits.isProxy(address),
      connections: new Set(),
      unread: new Set(),
      unsent: 0,
    };
    return this.#networks.get(name) ?? created;
  }

  /** @returns whether a connection of this network may be opened */
  #makeRoom(network: Network): boolean {
    const { connections, networkConnections } = this.#limits;
    if (network.bounded && network.connections.size >= networkConnections) {
      return this.#closeFirst(network.connections, 'connections', isIdle);
    }
    if (this.#open.size < connections) return true;
    const largest = mostOf(this.#networks.values(), ({ connections: { size } }) => size);
    if (this.#closeFirst(largest.connections, 'connections', isIdle)) return true;
    return largest !== network && this.#closeFirst(largest.connections, 'connections');
  }

  /** @returns whether there was one */
  #closeFirst(
    among: ReadonlySet<Connection>,
    reason: ClosedFor,
    accept: (connection: Connection) => boolean = () => true,
  ): boolean {
    for (const connection of among) {
      if (!accept(connection)) continue;
      this.#close(connection, reason);
      return true;
    }
    return false;
  }

  #close(connection: Connection, reason: ClosedFor): void {
    this.#handlers.closed(reason);
    // The event of the socket comes later.
    this.#forget(connection);
    connection.socket.destroy();
  }

  #forget(connection: Connection): void {
    const { socket, network } = connection;
    if (!this.#open.delete(socket)) return;
    this.#sent(connection);
    network.connections.delete(connection);
    if (network.connections.size === 0) this.#networks.delete(network.name);
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    // It is closed; this was read before.
    if (!connection) return;
    if (connection.current) {
      this.#closePipelining(connection);
      return;
    }
    connection.current = response;
    response.once('prefinish', () => this.#boundReading(connection));
    // An answer that is written piece by piece is not complete while it is not read.
    response.once('pipe', () => response.setTimeout(readGrace));
    response.once('timeout', () => this.#close(connection, 'unread'));
    response.once('close', () => {
      this.#sent(connection);
      connection.current = null;
    });
    this.#handlers.handle(request, response);
  }

  /**
   * Node parses all that it has read, up to 64 KiB and 3,000 requests of a connection, whatever is closed meanwhile. So
   * the idle connections of the network are closed before they are read: 400 connections took 684 MB without this.
   */
  #closePipelining(connection: Connection): void {
    this.#close(connection, 'pipelining');
    const { bounded, connections } = connection.network;
    for (const one of bounded ? connections : []) if (isIdle(one)) this.#close(one, 'pipelining');
  }

  /** Called when an answer is complete: what is not read is bounded in time and bytes. */
  #boundReading(connection: Connection): void {
    const { socket, network } = connection;
    const bytes = socket.writableLength;
    if (bytes === 0 || !this.#open.has(socket)) return;
    connection.unsent = bytes;
    network.unread.add(connection);
    network.unsent += bytes;
    this.#unsent += bytes;
    const { readRate } = this.#limits;
    if (readRate > 0) {
      const ms = readGrace + (1000 * bytes) / readRate;
      connection.readDeadline = setTimeout(() => this.#close(connection, 'unread'), ms).unref();
    }
    while (network.bounded && network.unsent > maxUnsent.network) this.#closeFirst(network.unread, 'unread');
    while (this.#unsent > maxUnsent.all) {
      this.#closeFirst(mostOf(this.#networks.values(), ({ unsent }) => unsent).unread, 'unread');
    }
  }

  /** The present answer is sent, or its connection closed. */
  #sent(connection: Connection): void {
    const { network, unsent } = connection;
    clearTimeout(connection.readDeadline);
    if (unsent === 0) return;
    connection.unsent = 0;
    network.unread.delete(connection);
    network.unsent -= unsent;
    this.#unsent -= unsent;
  }
}

function isIdle({ current }: Connection): boolean {
  return current === null;
}

/** The one with the largest value. There is one at least. */
function mostOf<T>(all: Iterable<T>, measure: (one: T) => number): T {
  let [most] = all;
  for (const one of all) if (most === undefined || measure(one) > measure(most)) most = one;
  return most!;
}

/** Milliseconds. */
const timeouts = {
  /** Of receiving a request: allows for the largest body over a slow mobile connection. */
  requestTimeout: 300_000,
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5000,
  /** Longer than the idle time of common proxies, which would otherwise send a call on a connection that closes. */
  keepAliveTimeout: 72_000,
};

/**
 * A server holds 35 kB for an idle connection, so all of them 140 MB. A network has an eighth of them: an office or a
 * mobile carrier behind one address is answered, and eight of them are needed to take all.
 */
const connectionLimits = { connections: 4096, networkConnections: 512 } as const;

interface ServerParts {
  /** Tests replace further ones. */
  readonly limits: Partial<ConnectionLimits> & Pick<ConnectionLimits, 'readRate'>;
  readonly registry: Registry;
  /** Whether an address is that of a trusted proxy. */
  isProxy(address: string): boolean;
  readonly refuse: ConnectionHandlers['refuse'];
}

/** The HTTP server of the app, which does not listen yet, and its bounded connections. */
export function createBoundedServer(
  handle: RequestListener,
  { limits, registry, isProxy, refuse }: ServerParts,
): { server: Server; connections: Connections } {
  // The plugin `unrouted-requests` answers a request without Host in the envelope.
  const server = createServer({ ...timeouts, requireHostHeader: false });
  const closed = new Counter({
    name: 'wajah_connections_closed_total',
    help: 'Connections that a limit closed, by reason: connections (too many), pipelining (a request before the answer to the last one), unread (answers)',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of closeReasons) closed.inc({ reason }, 0);
  const connections = new Connections(
    { ...connectionLimits, isProxy, ...limits },
    { handle, refuse, closed: (reason) => closed.inc({ reason }) },
  );
  connections.bound(server);
  return { server, connections };
}

/** Bits of an IPv6 address that a provider gives to one customer (RFC 6177, section 2). */
const ipv6Prefix = 64;

/**
 * The network that limits of unauthenticated callers apply to: an IPv4 address, or the /64 of an IPv6 address, of which
 * one customer has 2^64 addresses. IPv4-mapped addresses are IPv4.
 * @returns canonical text; the given one when it is no address
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().fill(0, ipv6Prefix / 8);
  return `${ipaddr.fromByteArray(bytes)}/${ipv6Prefix}`;
}
