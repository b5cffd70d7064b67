import { type CreateSessionRequest, hostedPath } from '@wajah/contract';
import encodeQR from 'qr';
import { browserUrl } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import { looksLikeSessionSecret, newSessionSecret, secretDigest } from '../../security/tokens/api-tokens.ts';
import { unknownToken } from '../../security/tokens/token-issuer.ts';
import type { Store } from '../../store/ports.ts';
import type { Caller } from '../caller.ts';

/** What the page of a hosted session needs. @throws Refusal `malformed` for a redirect_url that is not allowed */
export function hostedPage(
  { hosted, redirectUrl, lang }: CreateSessionRequest,
  { origin = '' }: Pick<Caller, 'origin'>,
  publicUrl: string | null,
) {
  const redirect = redirectUrl === undefined ? null : requireRedirect(redirectUrl, hosted === true);
  if (!hosted) return { stored: { secret: null, redirectUrl: redirect }, shownFor: () => ({}) };
  const secret = newSessionSecret();
  const base = browserUrl({ publicUrl }, origin);
  const shownFor = (sessionId: string) => {
    // A fragment is sent to no server, and in no header.
    const url = `${base}${hostedPath}${lang === undefined ? '' : `?lang=${lang}`}#${sessionId}.${secret}`;
    return { url, qr: encodeQR(url, 'svg') };
  };
  return { stored: { secret: secretDigest(secret), redirectUrl: redirect }, shownFor };
}

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

function requireRedirect(text: string, hosted: boolean): string {
  const url = URL.parse(text);
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && localHosts.has(url.hostname));
  if (url && isSecure && hosted && url.username === '' && url.password === '') return url.href;
  throw new Refusal('redirectUrl', { found: url ? `${url.protocol}//${url.host}` : 'no URL' });
}

/** The redirect_url of a judged session, with what its program compares. */
export function redirectOf({
  redirectUrl,
  id,
  nonce,
}: {
  readonly redirectUrl?: string | null;
  readonly id: string;
  readonly nonce: string;
}): string | undefined {
  if (!redirectUrl) return undefined;
  const url = new URL(redirectUrl);
  url.searchParams.set('session_id', id);
  url.searchParams.set('nonce', nonce);
  return url.href;
}

/** Of the calls of a page. */
const scopes: readonly string[] = ['recognise'];

/** Whose session a secret is of, in place of a token. @returns undefined for texts that are no secrets */
export function createSessionAuthentication(store: Pick<Store, 'sessions'>) {
  return async (token: string) => {
    if (!looksLikeSessionSecret(token)) return undefined;
    const session = await store.sessions.ofSecret(secretDigest(token));
    if (!session) throw unknownToken();
    return { clientId: session.clientId, scopes, binding: null, sessionId: session.id };
  };
}

/** Hints of a session: the shortest time between two, milliseconds, and how many. */
const hintLimits = { everyMs: 450, most: 300 } as const;

/** Limits the hints of each session at this server. */
export function createHintLimit() {
  const given = new Map<string, { count: number; at: number }>();
  return {
    /** @throws Refusal `tooManyRequests` */
    take({ id, expiresAt }: { readonly id: string; readonly expiresAt: Date }): void {
      const now = performance.now();
      const known = given.get(id);
      if (known && known.count >= hintLimits.most) {
        throw new Refusal('hintsUsedUp', { most: hintLimits.most }, { retry_after: 60 });
      }
      if (known && now - known.at < hintLimits.everyMs) {
        throw new Refusal('hintsTooOften', { seconds: 1 }, { retry_after: 1 });
      }
      // Until the deadline that it has when it begins, at the latest.
      if (!known) setTimeout(() => given.delete(id), expiresAt.getTime() - Date.now() + 300_000).unref();
      given.set(id, { count: (known?.count ?? 0) + 1, at: now });
    },
  };
}
