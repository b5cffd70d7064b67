import { cutFraction, endpoints } from '@wajah/contract';
import type {
  ClientAdministration,
  ClientService,
  ListedToken,
  TokenService,
} from '../../services/accounts/ports.ts';
import type { ServerStatus, StatusService } from '../../services/administration/ports.ts';
import type { ClientRecord } from '../../store/ports/clients.ts';
import { receiptView } from '../views/people.ts';
import { amountsView, limitsView } from '../views/records.ts';
import { wire } from '../views/wire.ts';
import type { Mount } from './ports.ts';

interface AccountServices {
  readonly clients: ClientService;
  readonly tokens: TokenService;
  readonly status: StatusService;
  readonly administration: ClientAdministration;
}

/** The client's own account and its tokens; the status of the server for operators. */
export function accountRoutes(
  mount: Mount,
  { clients, tokens, status, administration }: AccountServices,
): void {
  mount(endpoints.register, async (caller) => ({
    facegallery_id: (await clients.register(caller)).galleryId,
  }));

  mount(endpoints.deleteClient, async (caller) => {
    const { galleryIds, receipt } = await clients.erase(caller);
    return { facegallery_id: galleryIds, ...receiptView(receipt) };
  });

  mount(endpoints.getCounters, async (caller) => ({
    remaining_limit: amountsView(await clients.counters(caller)),
  }));

  mount(endpoints.createApiToken, async (caller, request) => {
    const { id, ...created } = await tokens.create(caller, request);
    return { token_id: id, ...wire(created) };
  });

  mount(endpoints.listApiTokens, async (caller) => ({
    tokens: (await tokens.list(caller)).map(listedTokenView),
  }));

  mount(endpoints.revokeApiToken, tokens.revoke);

  mount(endpoints.getStatus, async (caller) => statusView(await status.read(caller)));

  operationRoutes(mount, administration);
}

/** Clients, for operators. */
function operationRoutes(mount: Mount, administration: ClientAdministration): void {
  mount(endpoints.listClients, async (caller, request) => {
    const { clients, nextAfter } = await administration.list(caller, request);
    return { clients: clients.map(clientView), next_after: nextAfter };
  });

  mount(endpoints.createClient, async (caller, request) => {
    return wire(await administration.create(caller, request));
  });

  mount(endpoints.setClientQuota, administration.setQuota);

  mount(endpoints.resetClientPassword, async (caller, request) =>
    wire(await administration.resetPassword(caller, request)),
  );

  mount(endpoints.eraseClient, async (caller, request) => {
    const { galleries, faces, receipt } = await administration.erase(caller, request);
    return { n_facegallery: galleries, n_face: faces, ...receiptView(receipt) };
  });
}

function clientView(client: ClientRecord) {
  const { clientId, createdAt, registeredAt, operator, passwordHash, used } = client;
  return {
    client_id: clientId,
    created_at: createdAt.toISOString(),
    registered: registeredAt !== null,
    operator,
    has_password: passwordHash !== null,
    limits: limitsView(client),
    used: amountsView(used),
  };
}

function listedTokenView({ id, digest: _, lastUsedAt, revokedAt, binding, ...token }: ListedToken) {
  return {
    token_id: id,
    ...wire(token),
    ...(lastUsedAt && { last_used_at: lastUsedAt.toISOString() }),
    ...(revokedAt && { revoked_at: revokedAt.toISOString() }),
    ...(binding && binding.service !== 'gallery' && { compreface: binding.service }),
    ...(binding?.galleryId && { facegallery_id: binding.galleryId }),
  };
}

function statusView({ memory, store, settings, ...status }: ServerStatus) {
  const { spoof_threshold: spoof } = settings;
  return {
    ...wire(status),
    memory: { ...wire(memory), galleries_loaded: memory.galleries },
    store: {
      kind: store.kind,
      migration: store.migration,
      ...(store.bytes === null ? {} : { bytes: store.bytes }),
    },
    settings: { ...settings, ...(typeof spoof === 'number' && { spoof_threshold: cutFraction(spoof) }) },
  };
}
