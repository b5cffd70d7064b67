import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnEndpoint } from '@wajah/contract';
import { CallRefused, OperatorError } from '../errors.ts';
import { ownerSocket, readOwner } from '../store/data-directory.ts';

/** The answer of an endpoint, as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the table says what it has
export type Answer = any;

/**
 * Calls an endpoint as the operator of the installation.
 * @param fields in the names of the wire
 * @param clientId whom the call is made for; absent: nobody
 * @throws OperatorError when it is refused
 */
export type CallEndpoint = (endpoint: OwnEndpoint, fields?: object, clientId?: string) => Promise<Answer>;

type Fetch = typeof fetch;

/** A request to the operator's app. */
export interface OperatorRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly signal: AbortSignal | undefined;
}

/** An answer of the app. */
interface OperatorAnswer {
  readonly status: number;
  readonly headers: object;
  readonly body: string;
}

/** `fetch` of the operator's app, by what sends one request: the host of a URL is not used. */
export function fetchBy(send: (request: OperatorRequest) => Promise<OperatorAnswer>): Fetch {
  return async (url, { method = 'GET', headers, body, signal } = {}) => {
    signal?.throwIfAborted();
    const { pathname, search } = new URL(String(url));
    const answer = await send({
      method,
      path: pathname + search,
      headers: Object.fromEntries(new Headers(headers)),
      body: String(body ?? ''),
      signal: signal ?? undefined,
    });
    return new Response(answer.body, {
      status: answer.status,
      headers: Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
    });
  };
}

/** Most times that a call is made which the app answers by a time to wait, as `@wajah/client` does. */
const mostTries = 20;

/** Calls endpoints of the operator's app. */
export function callOver(fetch: Fetch): CallEndpoint {
  return async ({ methods, path }, fields = {}, clientId) => {
    const method = methods.includes('POST') ? 'POST' : methods[0];
    const headers = {
      'content-type': 'application/json',
      ...(clientId !== undefined && { 'x-client': clientId }),
    };
    for (let tries = 1; ; tries += 1) {
      const init = { method, headers, body: JSON.stringify(fields) };
      const response = await fetch(`http://localhost${path}`, init);
      const answer = (await response.json()) as Answer;
      if (response.ok) return answer;
      const seconds = Number(response.headers.get('retry-after'));
      if (seconds === 0 || tries === mostTries)
        throw new CallRefused(String(answer['error']), String(answer['detail'] ?? answer['status_message']));
      await delay(1000 * seconds);
    }
  };
}

/** `fetch` over the socket of a running server. */
const socketFetch = (socketPath: string): Fetch =>
  fetchBy(async ({ body, signal, headers: given, ...options }) => {
    const headers = { ...given, 'content-length': String(Buffer.byteLength(body)) };
    const sent = request({ socketPath, ...options, headers, ...(signal && { signal }) }).end(body);
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: response.statusCode!, headers: response.headers, body: await text(response) };
    } catch (error) {
      signal?.throwIfAborted();
      throw new OperatorError('The running server closed the connection before it answered.', {
        cause: error,
      });
    }
  });

/** The operator's app in this process. */
interface LocalOperator {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** How long a command waits for a server that starts or stops. */
const timeoutMs = 10_000;

/**
 * Calls endpoints in the process that owns the data directory, or in this one if none does.
 * @param dataDir null: the store is a shared database, which no process owns
 * @param open opens the store in this process; an OperatorError when another process owns the directory
 * @throws OperatorError when the work cannot be done, or the owner cannot be reached
 */
export async function callAsOperator<T>(
  dataDir: string | null,
  open: () => Promise<LocalOperator>,
  work: (call: CallEndpoint, fetch: Fetch) => Promise<T>,
): Promise<T> {
  const isOwned = () => dataDir !== null && readOwner(dataDir) !== null;
  for (const end = Date.now() + timeoutMs; ; await delay(200)) {
    const remote = dataDir === null ? null : await fetchOfOwner(dataDir);
    if (remote) return work(callOver(remote), remote);
    const mayWait = Date.now() < end;
    if (mayWait && isOwned()) continue;
    const local = await open().catch((error: unknown) => {
      if (mayWait && isOwned()) return null;
      throw error;
    });
    if (local) return work(callOver(local.fetch), local.fetch).finally(() => local.close());
  }
}

/** @returns null: no process answers at the socket of the owner */
async function fetchOfOwner(dataDir: string): Promise<Fetch | null> {
  const path = ownerSocket(dataDir);
  if (path === undefined) return null;
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return socketFetch(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null;
    throw new OperatorError(
      `The running server cannot be reached at ${path} (${code ?? 'unknown'}); run this command as the user who runs the server`,
    );
  } finally {
    socket.destroy();
  }
}
