import { scryptSync } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { type Endpoint, endpoints } from '@wajah/contract';
import type { FastifyInstance } from 'fastify';
import { drawnFace, drawnPicture, drawnSelfieWithCard } from '../../../engine/test/drawn/drawn-face.ts';
import { sharedEngine } from '../../../engine/test/support/shared-engine.ts';
import { loadConfig } from '../../src/config/config.ts';
import { type AppServices, buildApp, type TransportLimits } from '../../src/http/app.ts';
import { buildOperatorApp } from '../../src/http/operator-app.ts';
import { type CallEndpoint, callOver, fetchBy } from '../../src/operations/operator-calls.ts';
import { type Context, type Overrides, openContext } from '../../src/server/context.ts';
import { createLogger } from '../../src/server/logger.ts';
import { defaultQuota } from '../../src/services/accounts/clients.ts';
import type { Tracer } from '../../src/services/caller.ts';
import type { Quota } from '../../src/store/ports/clients.ts';
import { patient, patientStatementMs } from './patient.ts';
import { base64 } from './requests.ts';
import { atEnd, temporaryDirectory } from './temporary.ts';

/** The answer of a call. */
export interface Answer {
  readonly http: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  readonly body: any;
  readonly headers: Record<string, unknown>;
}

/** A client with its token. */
export interface TestClient {
  readonly id: string;
  readonly password: string;
  readonly token: string;
  /** A token with the scope `diagnostics` as well. */
  readonly diagnosticsToken: string;
  /** The gallery it was registered with. */
  readonly gallery: string;
  call(endpoint: Endpoint, fields?: object, method?: string): Promise<Answer>;
  /** Enrols a user with a picture in that gallery; fields may name another. */
  enrol(user_id: string, image: string, fields?: object): Promise<Answer>;
}

export interface TestApp {
  readonly app: FastifyInstance;
  readonly context: Context;
  /** Its data directory. */
  readonly directory: string;
  /** What was logged so far, from `WAJAH_LOG_LEVEL` on. */
  log(): string;
  /** Creates a registered client with a new name. */
  client(
    quota?: { hits?: number; faces?: number; galleries?: number },
    operator?: boolean,
  ): Promise<TestClient>;
  call(token: string | undefined, endpoint: Endpoint, fields?: object, method?: string): Promise<Answer>;
  /** Calls an endpoint as the operator of the installation, for a client or for nobody. */
  readonly operate: CallEndpoint;
  /** Forgets the frames of all sessions: a film of the next client would otherwise be a replay. */
  forgetFrames(): Promise<void>;
  close(): Promise<void>;
}

/** `fetch` of an app of this process. */
const fetchFrom = (app: FastifyInstance) =>
  fetchBy(async ({ method, path: url, body: payload, signal, headers }) => {
    const signalled = signal && { signal };
    const answer = await app.inject({ method: method as 'POST', url, headers, payload, ...signalled });
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  });

/** Hashed at a low cost, which verification reads from the hash: hundreds of hashes at the real cost take a minute. */
function hashCheaply(password: string): string {
  const hash = scryptSync(password, 'salt', 32, { N: 2, r: 8, p: 1 });
  return `$scrypt$N=2,r=8,p=1$${Buffer.from('salt').toString('base64url')}$${hash.toString('base64url')}`;
}

/**
 * The real app on a real store, matcher and engine, in its own directory, called without a socket. It is closed at the end
 * of the test, or of the file.
 * @param others parts that replace the real ones, for example a failing service
 */
export async function startTestApp(
  env: Record<string, string> = {},
  others: Overrides & {
    directory?: string;
    services?: Partial<AppServices>;
    tracer?: Tracer | null;
    /** Of the clients that it creates. */
    quota?: Partial<Quota>;
    transport?: TransportLimits;
  } = {},
): Promise<TestApp> {
  const { engine, directory, services, tracer = null, transport, quota: ownQuota, ...overrides } = others;
  const folder = directory ?? temporaryDirectory();
  const settings = { WAJAH_DATA_DIR: folder, WAJAH_CALLS_PER_MINUTE: '1000000', ...patient, ...env };
  const loaded = loadConfig(settings);
  const database = loaded.database && { ...loaded.database, timeoutMs: patientStatementMs };
  const config = { ...loaded, database };
  const logged = new PassThrough();
  let log = '';
  logged.on('data', (chunk) => {
    log += chunk;
  });
  const logger = createLogger(config.logLevel, logged);
  const context = await openContext(config, logger, {
    ...overrides,
    engine: engine ?? (await sharedEngine()),
  });
  const app = await buildApp({ ...context, ...services }, { config, logger, tracer, limits: transport });
  const call: TestApp['call'] = async (token, endpoint, fields, method = endpoint.methods[0]) => {
    const answer = await app.inject({
      method: method as 'GET',
      url: endpoint.path,
      headers: token === undefined ? {} : { accesstoken: token },
      ...(fields === undefined ? {} : { payload: fields }),
    });
    return { http: answer.statusCode, body: answer.json(), headers: answer.headers };
  };
  let operator: ReturnType<typeof buildOperatorApp> | undefined;
  const operate = callOver(async (...request) => {
    operator ??= buildOperatorApp({ ...context, ...services }, { config, logger });
    return fetchFrom(await operator)(...request);
  });
  let clients = 0;
  let closed: Promise<void> | undefined;
  const close = () => {
    // An aborted call may leave an idle connection, for which Node waits a minute.
    app.server.closeAllConnections();
    closed ??= app.close().then(() => context.close());
    return closed;
  };
  atEnd(close);
  return {
    app,
    context,
    directory: folder,
    log: () => log,
    call,
    operate,
    async client(quota = {}, operator = false) {
      clients += 1;
      const id = `client-${clients}`;
      const password = `password of ${id}`;
      await context.store.clients.create({
        clientId: id,
        passwordHash: hashCheaply(password),
        quota: { ...defaultQuota, ...ownQuota, ...quota },
      });
      if (operator) await context.store.clients.setOperator(id, true);
      await context.clients.register({ clientId: id, trxId: id, signal: new AbortController().signal });
      const login = { clientId: id, password, address: '127.0.0.1' };
      const { accessToken: token } = await context.accounts.login(login, operator ? ['operate'] : []);
      const { accessToken: diagnosticsToken } = await context.accounts.login(login, ['diagnostics']);
      const gallery = `${id}@trial`;
      const enrol = (user_id: string, image: string, fields: object = {}) => {
        const user = { user_id, user_name: `name of ${user_id}`, facegallery_id: gallery };
        return call(token, endpoints.enrolFace, { ...user, image, ...fields });
      };
      return {
        id,
        password,
        token,
        diagnosticsToken,
        gallery,
        call: (endpoint, fields, method) => call(token, endpoint, fields, method),
        enrol,
      };
    },
    forgetFrames() {
      const never = new Date(0);
      return context.store.sessions.prune(never, { sessions: never, frames: new Date(Date.now() + 1000) });
    },
    close,
  };
}

/** Pictures as base64. `*Again` shows the same person under other light and tilt. */
export async function drawPictures() {
  return {
    ani: await base64(drawnFace({ person: 'ani' })),
    aniAgain: await base64(drawnFace({ person: 'ani', tilt: 6, brightness: 0.9 })),
    budi: await base64(drawnFace({ person: 'budi' })),
    withCard: await base64(drawnSelfieWithCard({ person: 'ani' })),
    foreignCard: await base64(drawnSelfieWithCard({ person: 'ani', onCard: 'budi' })),
    nobody: await base64(drawnPicture({ width: 300, height: 300, faces: [] })),
    small: await base64(
      drawnPicture({ width: 400, height: 400, faces: [{ person: 'ani', x: 200, y: 200, size: 90 }] }),
    ),
    blurred: await base64(drawnFace({ person: 'ani', blur: 6 })),
  };
}
