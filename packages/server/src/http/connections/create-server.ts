import { createServer, type RequestListener, type Server } from 'node:http';
import { Counter, type Registry } from 'prom-client';
import type { Config } from '../../config/config.ts';
import { refuseConnection } from '../plugins/client-error.ts';
import { Connections, closeReasons } from './connections.ts';

/** Milliseconds. */
const timeouts = {
  /** Of receiving a request: allows for the largest body over a slow mobile connection. */
  requestTimeout: 300_000,
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5000,
  /** Longer than the idle time of common proxies, which would otherwise send a call on a connection that closes. */
  keepAliveTimeout: 72_000,
};

interface ServerParts {
  readonly limits: Pick<Config['limits'], 'connections' | 'networkConnections' | 'bodyRate'>;
  readonly registry: Registry;
  /** Whether an address is that of a trusted proxy. */
  isProxy(address: string): boolean;
}

/** The HTTP server of the app, which does not listen yet, and its bounded connections. */
export function createBoundedServer(
  handle: RequestListener,
  { limits: { bodyRate, ...limits }, registry, isProxy }: ServerParts,
): { server: Server; connections: Connections } {
  // The plugin `client-errors` answers a request without Host in the envelope.
  const server = createServer({ ...timeouts, requireHostHeader: false });
  const closed = new Counter({
    name: 'wajah_connections_closed_total',
    help: 'Connections that a limit closed, by reason: connections (too many), pipelining (too many requests at once), unread (answers)',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of closeReasons) closed.inc({ reason }, 0);
  const connections = new Connections(
    { ...limits, readRate: bodyRate, isProxy },
    { handle, refuse: refuseConnection, closed: (reason) => closed.inc({ reason }) },
  );
  connections.bound(server);
  return { server, connections };
}
