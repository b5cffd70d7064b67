import { isRefusal, WajahError } from './errors.ts';
import { type Calls, calls, ownForm } from './wire.ts';

export type CallName = keyof Calls;

/** One HTTP request. */
interface SendRequest {
  readonly url: string;
  readonly call: CallName;
  /** Pictures are base64. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
  readonly fetch: typeof fetch;
}

/**
 * Sends a request once.
 * @throws WajahError for every answer but success; the reason of the signal
 */
export async function send({ url, call, fields, token, signal, fetch }: SendRequest): Promise<object> {
  const { method, path } = calls[call];
  const query = method === 'GET' ? queryOf(fields) : '';
  const headers = new Headers({ accept: ownForm });
  if (token !== undefined) headers.set('accesstoken', token);
  if (method !== 'GET') headers.set('content-type', 'application/json');
  try {
    const response = await fetch(url + path + query, {
      method,
      headers,
      signal,
      // The picture and the token must not reach another server.
      redirect: 'error',
      credentials: 'same-origin',
      ...(method === 'GET' ? {} : { body: JSON.stringify(fields) }),
    });
    return answerOf(response, await response.text(), call);
  } catch (error) {
    if (error instanceof WajahError) throw error;
    signal.throwIfAborted();
    throw new WajahError('network', { detail: `${url}: ${reasonOf(error)}`, cause: error });
  }
}

function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return query.size === 0 ? '' : `?${query}`;
}

/** The reason of a failed `fetch` is in the cause of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message || 'no connection';
}

function answerOf(response: Response, text: string, call: CallName): object {
  const { ok, status: http, headers } = response;
  const body = parsed(text);
  if (body === undefined) throw notWajah(http, headers);
  // Tokens and documents have no status.
  const success = body['status'] ?? (calls[call].auth && '200');
  if (ok && success === '200') return body;
  const { status, detail, status_message: message, trx_id: trxId, params } = body;
  // A login has the error of RFC 6749.
  const error = body['error_code'] ?? body['error'];
  if (!isRefusal(status)) throw notWajah(http, headers);
  throw new WajahError(status, {
    detail: typeof detail === 'string' ? detail : String(message),
    error: typeof error === 'string' ? error : undefined,
    params: isRecord(params) ? params : undefined,
    http,
    answer: body as never,
    trxId: typeof trxId === 'string' ? trxId : undefined,
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
  });
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function notWajah(http: number, headers: Headers): WajahError {
  const type = headers.get('content-type') ?? 'no Content-Type';
  return new WajahError('unexpected', {
    detail: `HTTP ${http} with ${type}, which is no answer of Wajah; check the url and proxies in between`,
    http,
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
  });
}

/**
 * Milliseconds from now of the header Retry-After (RFC 9110, 10.2.3), which holds seconds or a date; undefined when
 * it is absent or invalid.
 */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
