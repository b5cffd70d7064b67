import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnEndpoint } from '@wajah/contract';
import type { Config } from '../config/config.ts';
import { CallRefused, OperatorError } from '../errors.ts';
import {
  connectToOwner,
  denial,
  isInstallation,
  readOwner,
  requireInstallation,
} from '../store/data-directory.ts';

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
      const { error, params, detail, status_message } = answer;
      if (seconds === 0 || tries === mostTries)
        throw new CallRefused(String(error), params ?? {}, String(detail ?? status_message));
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

/** How long a command waits for a server that starts. */
const timeoutMs = 60_000;

/**
 * Calls endpoints of the server that runs on the data directory, and waits for one that starts.
 * @throws OperatorError when none runs, or it cannot be reached, or the work cannot be done
 */
export async function callAsOperator<T>(
  { dataDir, database }: Pick<Config, 'dataDir' | 'database'>,
  work: (call: CallEndpoint, fetch: Fetch) => Promise<T>,
): Promise<T> {
  // A first start makes the installation.
  const isFirst = !database && !isInstallation(dataDir);
  if (isFirst && readOwner(dataDir) === null) requireInstallation(dataDir);
  const denied = database ? null : denial(dataDir);
  if (denied !== null) throw new OperatorError(`WAJAH_DATA_DIR: ${denied}`);
  for (const end = Date.now() + timeoutMs; ; await delay(200)) {
    const socket = await connectToOwner(dataDir);
    const send = socket && socketFetch(socket.path);
    if (send) return work(callOver(send), send).finally(() => socket.release());
    const owner = readOwner(dataDir);
    if (owner === null) throw new OperatorError(noServer(dataDir));
    if (Date.now() >= end)
      throw new OperatorError(
        `process ${owner.pid} on ${owner.host} has ${dataDir} and does not answer: it starts, stops or is another command; run this one again when it is done`,
      );
  }
}

const noServer = (dataDir: string) =>
  `no server answers in ${dataDir} (WAJAH_DATA_DIR), and this command asks one: start it with \`wajah serve\`, or as a service, and run this command again`;
