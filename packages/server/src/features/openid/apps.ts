import { randomBytes } from 'node:crypto';
import { endpoints, type RequestOf } from '@wajah/contract';
import { uuidv7 } from 'uuidv7';
import { Refusal } from '../../errors.ts';
import type { Events } from '../../events/table.ts';
import type { Mount } from '../../http/routes/ports.ts';
import { recordBy } from '../../services/accounts/client-administration.ts';
import { createOperatorCheck, requireClient } from '../../services/accounts/clients.ts';
import type { Caller } from '../../services/caller.ts';
import { galleryOf } from '../../services/galleries/lookup.ts';
import { redirectProblem } from '../../services/liveness/hosted.ts';
import type { Store } from '../../store/ports/store.ts';
import type { OpenidKeys } from './keys.ts';
import type { OpenidStore } from './ports.ts';
import type { OpenidVaults } from './vault.ts';

/** Apps of a client at most. */
const mostApps = 100;

interface Dependencies {
  readonly stores: Store;
  readonly store: OpenidStore;
  readonly vaults: OpenidVaults;
  readonly keys: OpenidKeys;
  readonly events: Events;
  /** Null: this server signs nobody in. */
  readonly issuer: string | null;
}

/** Apps that sign people in, which operators register, and the keys that sign for them. */
export function appRoutes(mount: Mount, deps: Dependencies): void {
  const { stores, store, keys, events } = deps;
  const requireOperator = createOperatorCheck(stores);
  const record = recordBy(events);

  mount(endpoints.createOpenidApp, async (caller, request) => {
    await requireOperator(caller);
    const { id, secret } = await addApp(deps, caller, request);
    await record(caller, request.clientId, 'create-openid-app', { app: id });
    return { app_id: id, app_secret: secret, issuer: deps.issuer };
  });

  mount(endpoints.listOpenidApps, async (caller, { clientId }) => {
    await requireOperator(caller);
    await requireClient(stores, clientId);
    const apps = (await store.apps(clientId)).map((app) => ({
      app_id: app.id,
      facegallery_id: app.galleryId,
      redirect_uris: [...app.redirectUris],
      public: app.secret === null,
      identify: app.identify,
      id_token_alg: app.idTokenAlg,
      created_at: app.createdAt.toISOString(),
    }));
    return { apps, issuer: deps.issuer };
  });

  mount(endpoints.deleteOpenidApp, async (caller, { appId }) => {
    await requireOperator(caller);
    const app = await store.app(appId);
    if (!app || !(await store.removeApp(appId))) throw new Refusal('openidAppNotFound');
    await record(caller, app.clientId, 'delete-openid-app', { app: appId });
  });

  mount(endpoints.rotateOpenidKeys, async (caller, { atOnce = false }) => {
    await requireOperator(caller);
    const { signsFrom, formerUntil } = await keys.rotate(atOnce);
    await record(caller, null, 'rotate-openid-keys', { at_once: atOnce });
    return { signs_from: signsFrom.toISOString(), former_until: formerUntil.toISOString() };
  });
}

async function addApp(
  { stores, store, vaults }: Dependencies,
  caller: Caller,
  request: RequestOf<'createOpenidApp'>,
): Promise<{ readonly id: string; readonly secret: string | null }> {
  const {
    clientId,
    facegalleryId: galleryId,
    redirectUris,
    identify = false,
    idTokenAlg = 'RS256',
  } = request;
  await requireClient(stores, clientId);
  await galleryOf(stores, { ...caller, clientId }, galleryId);
  for (const uri of redirectUris) {
    const found = uri.includes('#') ? uri : redirectProblem(uri);
    if (found !== null) throw new Refusal('openidRedirect', { found });
  }
  const id = `app_${uuidv7()}`;
  const secret = request.public ? null : randomBytes(32).toString('base64url');
  const sealed = secret === null ? null : vaults.secret.seal({ clientId, id }, secret);
  const app = {
    id,
    clientId,
    galleryId,
    redirectUris,
    secret: sealed,
    identify,
    idTokenAlg,
    createdAt: new Date(),
  };
  if (!(await store.addApp(app, mostApps))) throw new Refusal('tooManyOpenidApps', { most: mostApps });
  return { id, secret };
}
