import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { type Address, addressFor } from './addresses.ts';

/** The outcome of an attempt: null: delivered; `gone`: the receiver wants no further events (410). */
export interface Attempt {
  readonly error: string | null;
  readonly gone: boolean;
}

interface SendOptions {
  readonly networks: readonly string[];
  readonly timeoutMs: number;
}

/**
 * Posts a delivery. Follows no redirect; connects to the address that was checked, whatever the name resolves to later.
 * Delivered is what is answered 2xx in time. Never rejects.
 */
export async function send(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  { networks, timeoutMs }: SendOptions,
): Promise<Attempt> {
  try {
    const target = new URL(url);
    const address = await addressFor(target, networks);
    const signal = AbortSignal.timeout(timeoutMs);
    const status = await post(target, address, body, headers, signal);
    if (status >= 200 && status < 300) return { error: null, gone: false };
    return { error: `answered ${status}`, gone: status === 410 };
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException;
    const late = name === 'AbortError' || name === 'TimeoutError';
    return {
      error: late ? `no answer in ${timeoutMs} ms` : code ? `${code}: ${message}` : message,
      gone: false,
    };
  }
}

/** @returns the status */
function post(
  target: URL,
  { address, family }: Address,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number> {
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  const lookup: LookupFunction = (_host, options, callback) =>
    options.all ? callback(null, [{ address, family }]) : callback(null, address, family);
  return new Promise((resolve, reject) => {
    const call = request(target, {
      method: 'POST',
      agent: false,
      lookup,
      signal,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Wajah',
      },
    });
    call.on('error', reject);
    call.on('response', (answer) => {
      // The status is the answer; nothing of the body is read.
      answer.on('error', () => {});
      answer.destroy();
      resolve(answer.statusCode ?? 0);
    });
    call.end(body);
  });
}
