import { hostedPath, type RequestOf } from '@wajah/contract';
import encodeQR from 'qr';
import { browserUrl } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import { looksLikeSessionSecret, newSessionSecret, secretDigest } from '../../security/tokens/api-tokens.ts';
import { unknownToken } from '../../security/tokens/token-issuer.ts';
import type { LivenessSessionRecord } from '../../store/ports/sessions.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Caller } from '../caller.ts';

/**
 * What the page of a hosted session needs.
 * @throws Refusal `malformed` for a redirect_url that is not allowed, and where the call tells no address of the page
 */
export function hostedPage(
  { hosted, redirectUrl, lang }: RequestOf<'createLivenessSession'>,
  { origin = '' }: Pick<Caller, 'origin'>,
  publicUrl: string | null,
) {
  const redirect = redirectUrl === undefined ? null : requireRedirect(redirectUrl, hosted === true);
  if (!hosted) return { stored: { secret: null, redirectUrl: redirect }, shownFor: () => ({}) };
  const secret = newSessionSecret();
  const base = browserUrl({ publicUrl }, origin);
  if (base !== '' && !isAddress(base)) throw new Refusal('hostInvalid', { found: base });
  const shownFor = (sessionId: string) => {
    // A fragment is sent to no server, and in no header.
    const url = `${base}${hostedPath}${lang === undefined ? '' : `?lang=${lang}`}#${sessionId}.${secret}`;
    return { url, qr: encodeQR(url, 'svg') };
  };
  return { stored: { secret: secretDigest(secret), redirectUrl: redirect }, shownFor };
}

/** A proxy may name any scheme, and a client of HTTP/1.0 no host. */
const isAddress = (url: string) => /^https?:/.test(url) && URL.canParse(url);

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

function requireRedirect(text: string, hosted: boolean): string {
  const found = redirectProblem(text);
  if (found === null && hosted) return new URL(text).href;
  throw new Refusal('redirectUrl', { found: found ?? new URL(text).origin });
}

/** What an address is that nobody is led to; null: people may be. */
export function redirectProblem(text: string): string | null {
  const url = URL.parse(text);
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && localHosts.has(url.hostname));
  // A host with a pattern matches no address: they are compared as they are.
  const isPlain = url?.username === '' && url.password === '' && !url.hostname.includes('*');
  if (isSecure && isPlain) return null;
  return url ? `${url.protocol}//${url.host}` : 'no URL';
}

/** Tries of a hosted session that may still begin. @param over it passed, or ended with its link */
export function triesOf({ secret, waits }: LivenessSessionRecord, over: boolean): { triesLeft?: number } {
  if (!secret) return {};
  return { triesLeft: over ? 0 : (waits?.tries ?? 0) };
}

/** The redirect_url of a judged session, with what its program compares. */
export function redirectOf({ redirectUrl, id, nonce }: LivenessSessionRecord): string | undefined {
  if (!redirectUrl) return undefined;
  const url = new URL(redirectUrl);
  url.searchParams.set('session_id', id);
  url.searchParams.set('nonce', nonce);
  return url.href;
}

/** Whose session a secret is of, in place of a token. @returns undefined for texts that are no secrets */
export function createSessionAuthentication(store: Pick<Store, 'sessions'>) {
  return async (token: string) => {
    if (!looksLikeSessionSecret(token)) return undefined;
    const session = await store.sessions.ofSecret(secretDigest(token));
    if (!session) throw unknownToken();
    return { clientId: session.clientId, scopes: ['recognise'], binding: null, sessionId: session.id };
  };
}
