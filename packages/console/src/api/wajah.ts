import { signal } from '@preact/signals';
import { createWajahClient } from '@wajah/client';
import { serverUrl } from '../state/server-url.ts';
import { endSession, type Session, session, sessionEnd } from '../state/session.ts';

/** Milliseconds; large pictures over slow lines take long. */
const timeoutMs = 120_000;

/** The client of this page's server, with the token of the session. */
export const wajah = createWajahClient({
  url: serverUrl,
  token: () => session.value?.token ?? '',
  timeoutMs,
  fetch: fetchWithSession,
});

/** Share of the body that is sent of the call with a picture that runs, 0 to 1; null: none is being sent. */
export const sent = signal<number | null>(null);

/** Characters from which the sending of a body is watched: below it takes no time that anybody waits for. */
const watched = 100_000;

/** As `fetch`, which does not tell how much of a body is sent. */
function fetchWatched(address: string, { headers, body, signal: stop }: RequestInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const end = () => {
      sent.value = null;
    };
    const fail = () => {
      end();
      reject(stop?.aborted ? stop.reason : new TypeError('Failed to fetch'));
    };
    request.open('POST', address);
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => {
      sent.value = loaded / total;
    };
    request.upload.onload = end;
    request.onload = () => {
      end();
      const type = request.getResponseHeader('content-type') ?? '';
      const retryAfter = request.getResponseHeader('retry-after');
      const answered = { 'content-type': type, ...(retryAfter && { 'retry-after': retryAfter }) };
      resolve(new Response(request.responseText, { status: request.status, headers: answered }));
    };
    request.onerror = fail;
    request.onabort = fail;
    stop?.addEventListener('abort', () => request.abort());
    request.send(body as string);
  });
}

/** Ends the session when its token is refused. */
async function fetchWithSession(address: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const token = new Headers(init?.headers).get('accesstoken');
  // Without `omit` the browser shows its own password dialog on a 401 with WWW-Authenticate.
  const isLarge = typeof init?.body === 'string' && init.body.length > watched;
  const response = await (isLarge
    ? fetchWatched(String(address), init)
    : fetch(address, token === null ? { ...init, credentials: 'omit' } : init));
  if (response.status === 401 && token !== null && token === session.value?.token) endSession('expired');
  return response;
}

let last: Session | null = null;
session.subscribe((current) => {
  if (last !== null && current === null && sessionEnd.peek() === 'left') revoke(last.token);
  last = current;
});

/** Who signs out wants the token to be refused from now on; without the server it expires. */
export function revoke(token: string): void {
  fetch('oauth/token/revoke', {
    method: 'POST',
    credentials: 'omit',
    headers: { Accesstoken: token, 'Content-Type': 'application/json' },
    body: '{"own":true}',
    // Signing out may be the last thing that a page does.
    keepalive: true,
  }).catch(() => undefined);
}
