import { request as send } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnEndpoint } from '@wajah/contract';
import { OperatorError } from '../errors.ts';
import { readOwner } from '../store/data-directory.ts';

/** The answer of an endpoint, as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the table says what it has
export type Answer = Record<string, any>;

/**
 * Calls an endpoint as the operator of the installation.
 * @param fields in the names of the wire
 * @param clientId whom the call is made for; absent: nobody
 * @throws OperatorError when it is refused
 */
export type CallEndpoint = (endpoint: OwnEndpoint, fields?: object, clientId?: string) => Promise<Answer>;

/** A request to the operator's app, and what it was answered. */
export interface OperatorRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @returns the body @throws Error when there is no answer */
export type Transport = (
  request: OperatorRequest,
) => Promise<{ readonly http: number; readonly body: string }>;

/** Calls endpoints over a transport. */
export function callOver(transport: Transport): CallEndpoint {
  return async (endpoint, fields = {}, clientId) => {
    const { methods, path } = endpoint;
    const method = methods.includes('POST') ? 'POST' : methods[0];
    const headers = {
      'content-type': 'application/json',
      ...(clientId !== undefined && { 'x-client': clientId }),
    };
    const { http, body } = await transport({ method, path, headers, body: JSON.stringify(fields) });
    const answer = JSON.parse(body) as Answer;
    if (http === 200) return answer;
    throw new OperatorError(String(answer['detail'] ?? answer['status_message']));
  };
}

/** Sends requests to the socket of a running server. */
function socketTransport(socketPath: string): Transport {
  return ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const lost = () =>
        reject(new OperatorError('The running server closed the connection before it answered.'));
      const length = String(Buffer.byteLength(body));
      const options = { socketPath, method, path, headers: { ...headers, 'content-length': length } };
      const request = send(options, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', lost);
        response.once('end', () =>
          resolve({ http: response.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') }),
        );
      });
      request.once('error', lost);
      request.end(body);
    });
}

/** The operator's app in this process. */
interface LocalOperator {
  readonly send: Transport;
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
  work: (call: CallEndpoint, send: Transport) => Promise<T>,
): Promise<T> {
  for (const end = Date.now() + timeoutMs; ; await delay(200)) {
    const remote = dataDir === null ? null : await ownersTransport(dataDir);
    if (remote) return work(callOver(remote), remote);
    const local = dataDir === null ? await open() : await openUnlessOwned(dataDir, open, Date.now() < end);
    if (local) return work(callOver(local.send), local.send).finally(() => local.close());
  }
}

/** @returns null when another process owns the directory and there is time left to wait for it */
async function openUnlessOwned(
  dataDir: string,
  open: () => Promise<LocalOperator>,
  mayWait: boolean,
): Promise<LocalOperator | null> {
  if (mayWait && readOwner(dataDir)) return null;
  try {
    return await open();
  } catch (error) {
    if (mayWait && readOwner(dataDir)) return null;
    throw error;
  }
}

/** @returns null: no process answers at the socket of the owner */
async function ownersTransport(dataDir: string): Promise<Transport | null> {
  const path = readOwner(dataDir)?.operatorSocket;
  if (path === undefined) return null;
  try {
    await new Promise<void>((resolve, reject) => {
      const socket = connect(path, () => resolve(void socket.destroy()));
      socket.once('error', reject);
    });
    return socketTransport(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null;
    throw new OperatorError(
      `The running server cannot be reached at ${path} (${code ?? 'unknown'}); run this command as the user who runs the server`,
    );
  }
}
