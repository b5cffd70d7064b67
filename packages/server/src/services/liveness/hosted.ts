import { hostedPath, type RequestOf } from '@wajah/contract';
import type { Analysis } from '@wajah/engine';
import encodeQR from 'qr';
import { browserUrl } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import { looksLikeSessionSecret, newSessionSecret, secretDigest } from '../../security/tokens/api-tokens.ts';
import { unknownToken } from '../../security/tokens/token-issuer.ts';
import type { LivenessSessionRecord } from '../../store/ports/sessions.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Caller } from '../caller.ts';
import { keyOf, type Try } from './frames.ts';

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
  if (url && isSecure && url.username === '' && url.password === '') return null;
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

/**
 * Hints of a try, or while it waits: the shortest time between the beginnings of two, milliseconds, the share of a worker's
 * time that they may take, and how long they may work in all.
 */
const hintLimits = { everyMs: 200, share: 0.3, workMs: 30_000 } as const;
/** Part of the time between two after which the next is taken already: timers of pages are not exact. */
const early = 0.9;

/** Limits the hints of each try at this server, by what they cost. */
export function createHintLimit() {
  const given = new Map<string, { workMs: number; nextAt: number }>();
  return {
    /**
     * Measures a picture, while no other one of the try is measured.
     * @returns beside the analysis the seconds after which the next hint is given
     * @throws Refusal `tooManyRequests`
     */
    async limited(session: Try, analyze: () => Promise<Analysis>): Promise<Analysis & { nextIn: number }> {
      const id = keyOf(session);
      const begun = performance.now();
      const tried = given.get(id) ?? { workMs: 0, nextAt: 0 };
      if (tried.workMs >= hintLimits.workMs) {
        throw new Refusal('hintsUsedUp', { most: hintLimits.workMs / 1000 }, { retry_after: 60 });
      }
      if (begun < tried.nextAt) throw new Refusal('hintsTooOften', { seconds: 1 }, { retry_after: 1 });
      // Until the deadline that it has when it begins, at the latest.
      if (!given.has(id))
        setTimeout(() => given.delete(id), session.expiresAt.getTime() - Date.now() + 300_000).unref();
      given.set(id, tried);
      tried.nextAt = Number.POSITIVE_INFINITY;
      let everyMs: number = hintLimits.everyMs;
      try {
        const analysis = await analyze();
        const workMs = Object.values(analysis.stages).reduce((sum, ms) => sum + ms, 0);
        tried.workMs += workMs;
        everyMs = Math.max(everyMs, workMs / hintLimits.share);
        const nextIn = Math.max(0, begun + everyMs - performance.now()) / 1000;
        return { ...analysis, nextIn };
      } finally {
        tried.nextAt = begun + early * everyMs;
      }
    },
  };
}
