import { createWajahClient } from '@wajah/client';
import { endSession, type Session, session, sessionEnd } from '../state/session.ts';

/** Milliseconds; large pictures over slow lines take long. */
const timeoutMs = 120_000;

/** The client of this page's server, with the token of the session. */
export const wajah = createWajahClient({
  url: location.origin,
  token: () => session.value?.token ?? '',
  timeoutMs,
  fetch: fetchWithSession,
});

/** Ends the session when its token is refused. */
async function fetchWithSession(address: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const sent = new Headers(init?.headers).get('accesstoken');
  // Without `omit` the browser shows its own password dialog on a 401 with WWW-Authenticate.
  const response = await fetch(address, sent === null ? { ...init, credentials: 'omit' } : init);
  if (response.status === 401 && sent !== null && sent === session.value?.token) endSession('expired');
  return response;
}

let last: Session | null = null;
session.subscribe((current) => {
  if (last !== null && current === null && sessionEnd.peek() === 'left') revoke(last);
  last = current;
});

/** Whoever signs out wants the token to be refused from now on; without the server it expires. */
function revoke({ token }: Session): void {
  fetch('/oauth/token/revoke', {
    method: 'POST',
    credentials: 'omit',
    headers: { Accesstoken: token, 'Content-Type': 'application/json' },
    body: '{"own":true}',
    // Signing out may be the last thing that a page does.
    keepalive: true,
  }).catch(() => undefined);
}
