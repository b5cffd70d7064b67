import { cutFraction, endpoints } from '@wajah/contract';
import { limitsOf } from '../../services/accounts/client-administration.ts';
import type { ClientAdministration, ClientService, TokenService } from '../../services/accounts/ports.ts';
import type {
  ActivityService,
  AuditService,
  ServerStatus,
  StatusService,
} from '../../services/activity/ports.ts';
import type { ClientRecord } from '../../store/ports.ts';
import { receiptView } from '../views/people.ts';
import { activityView, amountsView, auditView, refusalsView } from '../views/records.ts';
import type { Mount } from './ports.ts';

interface AccountServices {
  readonly clients: ClientService;
  readonly tokens: TokenService;
  readonly activity: ActivityService;
  readonly status: StatusService;
  readonly audit: AuditService;
  readonly administration: ClientAdministration;
}

/** The client's own account, its tokens and its activity; the status and the audit trail of the server for operators. */
export function accountRoutes(
  mount: Mount,
  { clients, tokens, activity, status, audit, administration }: AccountServices,
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
    const { token, ...created } = await tokens.create(caller, request);
    return { token, ...tokenView(created) };
  });

  mount(endpoints.listApiTokens, async (caller) => ({
    tokens: (await tokens.list(caller)).map(listedTokenView),
  }));

  mount(endpoints.revokeApiToken, tokens.revoke);

  mount(endpoints.getActivity, async (caller, request) => activityView(await activity.read(caller, request)));

  mount(endpoints.listRefusals, async (caller, request) =>
    refusalsView(await activity.refusals(caller, request)),
  );

  mount(endpoints.getStatus, async (caller) => statusView(await status.read(caller)));

  mount(endpoints.getAudit, async (caller, request) => auditView(await audit.read(caller, request)));

  operationRoutes(mount, administration);
}

/** Clients, for operators. */
function operationRoutes(mount: Mount, administration: ClientAdministration): void {
  mount(endpoints.listClients, async (caller, request) => {
    const { clients, nextAfter } = await administration.list(caller, request);
    return { clients: clients.map(clientView), next_after: nextAfter };
  });

  mount(endpoints.createClient, async (caller, request) => {
    const { accessToken, expiresIn, ...created } = await administration.create(caller, request);
    return { ...secretView(created), access_token: accessToken, expires_in: expiresIn };
  });

  mount(endpoints.setClientQuota, administration.setQuota);

  mount(endpoints.resetClientPassword, async (caller, request) =>
    secretView(await administration.resetPassword(caller, request)),
  );

  mount(endpoints.eraseClient, async (caller, request) => {
    const { galleries, faces, receipt } = await administration.erase(caller, request);
    return { n_facegallery: galleries, n_face: faces, ...receiptView(receipt) };
  });
}

const secretView = ({ clientId, password }: { clientId: string; password: string }) => ({
  client_id: clientId,
  password,
});

function clientView(client: ClientRecord) {
  const { clientId, createdAt, registeredAt, operator, passwordHash, used } = client;
  return {
    client_id: clientId,
    created_at: createdAt.toISOString(),
    registered: registeredAt !== null,
    operator,
    has_password: passwordHash !== null,
    limits: amountsView(limitsOf(client)),
    used: amountsView(used),
  };
}

type ListedToken = Awaited<ReturnType<TokenService['list']>>[number];

function tokenView({
  id,
  name,
  scopes,
  expiresAt,
}: Pick<ListedToken, 'id' | 'name' | 'scopes' | 'expiresAt'>) {
  return { token_id: id, name, scopes: [...scopes], expires_at: expiresAt?.toISOString() ?? null };
}

function listedTokenView({ createdAt, lastUsedAt, revokedAt, binding, ...token }: ListedToken) {
  return {
    ...tokenView(token),
    created_at: createdAt.toISOString(),
    ...(lastUsedAt && { last_used_at: lastUsedAt.toISOString() }),
    ...(revokedAt && { revoked_at: revokedAt.toISOString() }),
    ...(binding && { compreface: binding.service }),
    ...(binding?.galleryId && { facegallery_id: binding.galleryId }),
  };
}

function statusView({ startedAt, uptimeSeconds, memory, store, packs, settings, ...status }: ServerStatus) {
  const { spoof_threshold: spoof } = settings;
  return {
    ...status,
    started_at: startedAt.toISOString(),
    uptime_seconds: uptimeSeconds,
    packs: packs.map(({ inUse, roles, ...pack }) => ({ ...pack, roles: [...roles], in_use: inUse })),
    memory: {
      rss: memory.rss,
      heap_used: memory.heapUsed,
      match_budget: memory.matchBudget,
      match_used: memory.matchUsed,
      galleries_loaded: memory.galleries,
    },
    store: {
      kind: store.kind,
      migration: store.migration,
      ...(store.bytes === null ? {} : { bytes: store.bytes }),
    },
    settings: { ...settings, ...(typeof spoof === 'number' && { spoof_threshold: cutFraction(spoof) }) },
  };
}
