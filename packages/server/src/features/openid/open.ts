import type { JWK } from 'jose';
import { browserUrl, type Config } from '../../config/config.ts';
import { OperatorError, Refusal } from '../../errors.ts';
import type { FeatureParts, OpenFeature } from '../../feature.ts';
import type { SiteServices } from '../../http/routes/site-ports.ts';
import { periodically } from '../../lib/periodic.ts';
import { minuteMs } from '../../lib/time.ts';
import { redirectProblem } from '../../services/liveness/hosted.ts';
import { appRoutes } from './apps.ts';
import { createKeys, type OpenidKeys } from './keys.ts';
import type { OpenidStore } from './ports.ts';
import { type OpenProvider, openProviders } from './provider.ts';
import { createSite } from './sign-in.ts';
import { createOpenidStore } from './store.ts';
import { createOpenidVaults } from './vault.ts';

/** Signs people in to apps, as an OpenID Provider. */
export function openOpenid({ config, store: stores, masterKey, logger: log }: FeatureParts): OpenFeature {
  const store = stores.part('openid', createOpenidStore);
  const vaults = createOpenidVaults(masterKey);
  const keys = createKeys(store, vaults);
  const pruning = periodically(() => store.prune(new Date()), minuteMs, log, 'old sign-ins were not removed');
  const { on } = config.openid;
  const site = async (services: SiteServices) => {
    const issuer = requireIssuer(config);
    const nameOf = createNames(store, services);
    const make = await openProviders({ issuer, store, vaults, nameOf, log });
    const provider = withCurrentKeys(make, keys);
    await provider();
    return createSite({ provider, issuer, stores, store, services });
  };
  return {
    ...(on && { site }),
    mount: (mount, { events }) =>
      appRoutes(mount, { stores, store, vaults, keys, events, issuer: on ? browserUrl(config, '') : null }),
    close: () => pruning.stop(),
  };
}

/** The provider that signs with the present keys. They are read at each request: another server may have replaced them. */
function withCurrentKeys(make: (keys: readonly JWK[]) => OpenProvider, keys: OpenidKeys) {
  let made: (OpenProvider & { readonly kids: string }) | undefined;
  return async (): Promise<OpenProvider> => {
    const current = await keys.current();
    const kids = current.map(({ kid }) => kid).join();
    if (made?.kids !== kids) made = { kids, ...make(current) };
    return made;
  };
}

function requireIssuer(config: Config): string {
  const issuer = browserUrl(config, '');
  if (redirectProblem(issuer) === null) return issuer;
  throw new OperatorError(
    'WAJAH_OPENID needs WAJAH_PUBLIC_URL, which apps know the server by; allowed: an https URL, or an http URL of localhost',
  );
}

/** Names of people who may be matched now. */
function createNames(store: OpenidStore, { parts }: SiteServices) {
  return async (appId: string, userId: string): Promise<string | null> => {
    const app = await store.app(appId);
    if (!app) return null;
    const caller = { clientId: app.clientId, trxId: '', signal: new AbortController().signal };
    try {
      return (await parts.comparisons.person(caller, { facegalleryId: app.galleryId, userId })).userName;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  };
}
