import { cutFraction } from '@wajah/contract';
import type { ServerStatus } from '../../services/activity/status.ts';

export function statusView({ engine, memory, store, packs, ...status }: ServerStatus) {
  const { spoof_threshold: spoof, ...settings } = status.settings;
  return {
    version: status.version,
    started_at: status.startedAt.toISOString(),
    uptime_seconds: status.uptimeSeconds,
    node: status.node,
    engine,
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
    clients: status.clients,
  };
}
