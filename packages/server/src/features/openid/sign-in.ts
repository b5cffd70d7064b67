import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../../errors.ts';
import type { Site, SiteServices } from '../../http/routes/site-ports.ts';
import { unknownToken } from '../../security/tokens/token-issuer.ts';
import type { Caller } from '../../services/caller.ts';
import { sessionSubjects } from '../../services/session-subjects.ts';
import type { Store } from '../../store/ports/store.ts';
import { hintOf } from './adapter.ts';
import type { OpenidApp, OpenidStore } from './ports.ts';
import {
  type Attempt,
  denied,
  type Interaction,
  isBegunThere,
  type OpenProvider,
  type Provider,
  paths,
  proof,
} from './provider.ts';

interface Dependencies {
  /** With the present keys. */
  provider(): Promise<OpenProvider>;
  readonly issuer: string;
  readonly stores: Pick<Store, 'sessions'>;
  readonly store: OpenidStore;
  readonly services: SiteServices;
}

/** A sign-in, in the browser that has begun it. */
interface SignIn {
  readonly interaction: Interaction;
  readonly app: OpenidApp;
  readonly caller: Caller;
}

const lost = `This sign-in has ended, or was begun in another browser. Go back to the app, and begin again.
Proses masuk ini sudah berakhir, atau dimulai di peramban lain. Kembali ke aplikasi, lalu mulai lagi.
`;

/**
 * Signs people in: an app leads a browser to the provider, which leads it to the page of a liveness session. The session
 * belongs to the browser by the cookie of the sign-in, and nothing that can be passed on is good for it.
 */
export function createSite(deps: Dependencies): Site {
  const { issuer } = deps;
  const signInOf = createFinder(deps);
  return {
    paths: [...paths.discovery, `${paths.base}/*`],
    sessions: `${paths.signIn}/:uid`,
    async answer(request, response, trxId) {
      const [, uid, done] = signInPath.exec(request.url ?? '') ?? [];
      asPublic(request, issuer);
      const { provider, callback } = await deps.provider();
      if (uid === undefined) {
        const [, resumed] = resumePath.exec(request.url ?? '') ?? [];
        if (resumed !== undefined && !isBegunThere(request, issuer, resumed)) return refuse(response);
        response.setHeader('content-security-policy', policy);
        return callback(request, response);
      }
      const found = await signInOf(provider, request, response, trxId);
      if (found?.interaction.uid !== uid) {
        return refuse(response);
      }
      try {
        if (done === undefined) return await begin(deps, found, response);
        const accountId = await personOf(deps, found);
        if (accountId !== null) {
          const login = { accountId, remember: false, ...proof };
          return await provider.interactionFinished(request, response, { login, consent: {} });
        }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
      const result = { error: 'access_denied', error_description: denied };
      return provider.interactionFinished(request, response, result);
    },
    async sessionOf(request, response) {
      const found = await signInOf((await deps.provider()).provider, request, response, '');
      const sessionId = found?.interaction.result?.attempt?.sessionId;
      const own = `${paths.signIn}/${found?.interaction.uid}/`;
      if (!found || sessionId === undefined || !request.url?.startsWith(own)) throw unknownToken();
      return { clientId: found.app.clientId, scopes: ['recognise'], binding: null, sessionId };
    },
  };
}

/** The provider adds the digest of the script by which a page posts the answer to an app (`response_mode=form_post`). */
const policy = "default-src 'none'; script-src 'none'; frame-ancestors 'none'";

function refuse(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end(lost);
}

const resumePath = new RegExp(`^${paths.base}/auth/([\\w-]+)`);
const signInPath = new RegExp(`^${paths.signIn}/([\\w-]+)(/done)?/?(?:\\?|$)`);

/** The provider makes its addresses and its cookies of what a proxy says: of the address that browsers use. */
function asPublic(request: IncomingMessage & { originalUrl?: string }, issuer: string): void {
  const { protocol, host, pathname } = new URL(issuer);
  const { 'x-forwarded-host': _, 'x-forwarded-for': __, ...headers } = request.headers;
  request.headers = { ...headers, host, 'x-forwarded-proto': protocol.slice(0, -1) };
  request.originalUrl = `${pathname.replace(/\/$/, '')}${request.url}`;
}

/** The sign-in that the cookie of a browser names; null: it has none. */
function createFinder({ issuer, store }: Dependencies) {
  return async (
    provider: Provider,
    request: IncomingMessage,
    response: ServerResponse,
    trxId: string,
  ): Promise<SignIn | null> => {
    const interaction = await provider.interactionDetails(request, response).catch((error: Error) => {
      if (error.name !== 'SessionNotFound') throw error;
      return null;
    });
    const app = interaction && (await store.app(interaction.params['client_id'] ?? ''));
    if (!interaction || !app || !isBegunThere(request, issuer, interaction.uid)) return null;
    const { signal } = new AbortController();
    return { interaction, app, caller: { clientId: app.clientId, trxId, signal, origin: issuer } };
  };
}

/** Opens the session of a sign-in, and leads to its page. @throws Refusal */
async function begin({ issuer, services }: Dependencies, signIn: SignIn, response: ServerResponse) {
  const { interaction, app } = signIn;
  const hit = await services.quotas.take(app.clientId, false);
  if (!(await hit?.counted())) throw new Refusal('callQuotaUsedUp');
  const attempt = await openAttempt(services, signIn, `${issuer}${paths.signIn}/${interaction.uid}/done`);
  interaction.result = { attempt };
  await interaction.persist();
  const lang = languageOf(interaction);
  const query = lang ? `?lang=${lang}` : '';
  // The page takes what follows the point for the secret of a link, and has none: the cookie is in its place.
  const location = `${issuer}${paths.signIn}/${interaction.uid}/page${query}#${attempt.sessionId}.cookie`;
  response.writeHead(303, { location }).end();
}

function languageOf({ params }: Interaction): 'en' | 'id' | undefined {
  const tags = (params['ui_locales'] ?? '').split(' ').map((tag) => tag.split('-')[0]);
  return tags.find((tag) => tag === 'en' || tag === 'id') as 'en' | 'id' | undefined;
}

/** Refusals that say who is enrolled. */
const ofPerson = new Set(['userNotFound', 'userSuspended', 'galleryNotFound', 'consentMissing']);

async function openAttempt(
  { livenessSessions }: SiteServices,
  { interaction, app, caller }: SignIn,
  redirectUrl: string,
): Promise<Attempt> {
  const { params } = interaction;
  const page = { hosted: true, redirectUrl } as const;
  const userId = hintOf(params);
  if (userId === null) {
    if (!app.identify || params['login_hint'] !== undefined) throw new Refusal('userNotFound');
    const { sessionId } = await livenessSessions.open(caller, { ...page, keepFrame: true });
    return { sessionId, userId, isVain: false };
  }
  const person = { facegalleryId: app.galleryId, userId };
  try {
    const { sessionId } = await livenessSessions.open(caller, { ...page, ...person });
    return { sessionId, userId, isVain: false };
  } catch (error) {
    if (!(error instanceof Refusal && ofPerson.has(error.status))) throw error;
    // Who is not enrolled does the same session: nobody learns from it who is.
    const subjectName = sessionSubjects.user(app.galleryId, userId);
    const { sessionId } = await livenessSessions.open(caller, { ...page, subjectName });
    return { sessionId, userId, isVain: true };
  }
}

/** Who has passed the session of a sign-in; null: nobody. A session is good for one. @throws Refusal */
async function personOf(deps: Dependencies, { interaction, app, caller }: SignIn): Promise<string | null> {
  const { sessions } = deps.stores;
  const attempt = interaction.result?.attempt;
  if (!attempt || attempt.isVain) return null;
  if (attempt.userId === null) return identified(deps, app, caller, attempt.sessionId);
  const session = await sessions.get(app.clientId, attempt.sessionId);
  const isTheirs = session?.userId === attempt.userId && session.galleryId === app.galleryId;
  if (!isTheirs || session.passed !== true) return null;
  const template = await sessions.consumeTemplate(app.clientId, session.id, new Date());
  return template ? attempt.userId : null;
}

/** The most frontal frame of a passed session is identified in the gallery. @throws Refusal */
async function identified(
  { services, stores }: Dependencies,
  { clientId, galleryId: facegalleryId }: OpenidApp,
  caller: Caller,
  sessionId: string,
): Promise<string | null> {
  const { livenessSessions, recognition, parts } = services;
  const { token } = await livenessSessions.get(caller, { sessionId });
  const passed = await parts.liveness.read(caller, token?.text);
  if (!passed) return null;
  const image = Buffer.from(await passed.frame());
  if (!(await stores.sessions.consumeTemplate(clientId, sessionId, new Date()))) return null;
  const { people } = await recognition.identify(caller, { facegalleryId, image });
  return people[0]?.userId ?? null;
}
