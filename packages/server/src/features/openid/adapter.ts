import { createHash } from 'node:crypto';
import { nameProblem, normaliseName } from '@wajah/contract';
import type { OpenidApp, OpenidStore } from './ports.ts';
import type { OpenidVaults } from './vault.ts';

/** What the provider stores of one kind. */
export interface Payload {
  readonly clientId?: string;
  readonly accountId?: string;
  readonly grantId?: string;
  readonly params?: Readonly<Record<string, string | undefined>>;
  readonly [field: string]: unknown;
}

/** Where the provider keeps things of a kind, by their ids. */
interface Adapter {
  upsert(id: string, payload: Payload, seconds: number): Promise<void>;
  find(id: string): Promise<object | undefined>;
  findByUid(uid: string): Promise<undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

interface Dependencies {
  readonly store: OpenidStore;
  readonly vaults: OpenidVaults;
  /** What the provider is told of an app. */
  readonly metadataOf: (app: OpenidApp) => object;
  /** The error of a code that another call has consumed meanwhile. */
  readonly consumed: () => Error;
}

/** What an app knows whom it signs in by; null: nobody of this name can be enrolled. */
export function hintOf({ login_hint: hint = '' }: NonNullable<Payload['params']>): string | null {
  const name = normaliseName(hint);
  return name === '' || nameProblem(name) !== null ? null : name;
}

/** Keeps what the provider stores: sealed, with the person that it is of, under digests of its ids. */
export function createAdapters(deps: Dependencies) {
  const { store } = deps;
  return (kind: string): Adapter => {
    if (kind === 'Session') return forgetful;
    if (kind === 'Client') {
      return { ...forgetful, find: async (id) => metadata(deps, await store.app(id)) };
    }
    const idOf = (id: string) => digestOf(kind, id);
    return {
      ...forgetful,
      upsert: (id, payload, seconds) => put(deps, idOf(id), payload, seconds),
      find: (id) => find(deps, idOf(id)),
      async consume(id) {
        if (!(await store.consume(idOf(id), new Date()))) throw deps.consumed();
      },
      destroy: (id) => store.remove(idOf(id)),
      revokeByGrantId: (grantId) => store.removeOfGrant(digestOf('Grant', grantId)),
    };
  };
}

/** Of the browser nothing is remembered from one sign-in to the next. */
const forgetful: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

const digestOf = (kind: string, id: string) =>
  createHash('sha256').update(`${kind}:${id}`).digest('base64url');

const metadata = ({ metadataOf }: Dependencies, app: OpenidApp | null) => (app ? metadataOf(app) : undefined);

async function put({ store, vaults }: Dependencies, id: string, payload: Payload, seconds: number) {
  const { grantId, params = {}, accountId } = payload;
  const app = await store.app(String(payload.clientId ?? params['client_id']));
  if (!app) return;
  const { clientId, galleryId } = app;
  await store.put({
    id,
    clientId,
    app: app.id,
    galleryId,
    userId: accountId ?? hintOf(params),
    grantId: grantId === undefined ? null : digestOf('Grant', grantId),
    payload: vaults.payload.seal({ clientId, id }, payload),
    expiresAt: new Date(Date.now() + seconds * 1000),
    consumedAt: null,
  });
}

async function find({ store, vaults }: Dependencies, id: string): Promise<object | undefined> {
  const state = await store.state(id);
  if (!state || state.expiresAt.getTime() <= Date.now()) return undefined;
  const payload = vaults.payload.open(state, state.payload);
  return state.consumedAt ? { ...payload, consumed: Math.floor(state.consumedAt.getTime() / 1000) } : payload;
}
