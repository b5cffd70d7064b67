import { cutFraction, endpoints } from '@wajah/contract';
import type { ClientService } from '../../services/accounts/clients.ts';
import type { TokenService } from '../../services/accounts/tokens.ts';
import type { ActivityService } from '../../services/activity/activity.ts';
import type { AuditService, ServerStatus, StatusService } from '../../services/activity/status.ts';
import { receiptView } from '../views/people.ts';
import { activityView, amountsView, auditView, refusalsView } from '../views/records.ts';
import type { Mount } from './mount.ts';

interface AccountServices {
  readonly clients: ClientService;
  readonly tokens: TokenService;
  readonly activity: ActivityService;
  readonly status: StatusService;
  readonly audit: AuditService;
}

/** The client's own account, its tokens and its activity; the status and the audit trail of the server for operators. */
export function accountRoutes(
  mount: Mount,
  { clients, tokens, activity, status, audit }: AccountServices,
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

  mount(endpoints.revokeApiToken, async (caller, request) => {
    await tokens.revoke(caller, request);
    return {};
  });

  mount(endpoints.getActivity, async (caller, request) => activityView(await activity.read(caller, request)));

  mount(endpoints.listRefusals, async (caller, request) =>
    refusalsView(await activity.refusals(caller, request)),
  );

  mount(endpoints.getStatus, async (caller) => statusView(await status.read(caller)));

  mount(endpoints.getAudit, async (caller, request) => auditView(await audit.read(caller, request)));
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
