import { createWajahClient } from '@wajah/client';
import { endSession, session } from '../state/session.ts';

/** Milliseconds that a call may take: large pictures over slow lines, and a server that is busy. */
const timeoutMs = 120_000;

/** The server this page came from, spoken to with the token of the session. */
export const wajah = createWajahClient({
  url: location.origin,
  token: () => session.value?.token ?? '',
  timeoutMs,
  fetch: watchedFetch,
});

/** A token that is refused ends the session; signing in has none yet. */
async function watchedFetch(address: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const sent = new Headers(init?.headers).get('accesstoken');
  // Without `omit` a browser asks in a window of its own for the password that the server offers to take.
  const response = await fetch(address, sent === null ? { ...init, credentials: 'omit' } : init);
  if (response.status === 401 && sent !== null && sent === session.value?.token) endSession('expired');
  return response;
}
