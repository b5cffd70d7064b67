import { setTimeout as pause } from 'node:timers/promises';
import type { EventLog, Events } from '../../events.ts';
import type { StoredAuditChain } from '../../security/audit-chain.ts';
import { recordMasterKey } from '../../security/keys/master-key.ts';
import type { SigningKeys } from '../../security/keys/signing-keys.ts';
import type { Keys } from '../../security/vaults/sealing.ts';
import type { TemplateVault } from '../../security/vaults/template-vault.ts';
import type { Store } from '../../store/store.ts';
import { allGalleries } from '../galleries/lookup.ts';
import { keyStatusOf } from './key-status.ts';
import { type RowVaults, resealGallery, resealMasterRows } from './reseal-rows.ts';

interface ResealDependencies extends RowVaults {
  readonly store: Store;
  readonly vault: TemplateVault;
  readonly signingKeys: Pick<SigningKeys, 'reseal'>;
  readonly chain: Pick<StoredAuditChain, 'reseal'>;
  readonly events: Pick<Events, 'administered'>;
  readonly masterKeys: Keys;
}

/** Milliseconds until an attempt that failed is repeated: the store may be full or unreachable. */
const retryMs = 10_000;

/**
 * Replaces the former master key while the server serves: each gallery gets a new data key, and its rows, recorded
 * sessions and remembered frames are sealed anew; the signing keys and the key of the audit trail are wrapped anew. What
 * was done stays done: an interrupted run is completed by the next start.
 */
export function resealInBackground(deps: ResealDependencies, log: EventLog): { stop(): Promise<void> } {
  if (deps.masterKeys.length === 1) return { stop: async () => {} };
  const stopping = new AbortController();
  const done = resealUntilDone(deps, log, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

async function resealUntilDone(deps: ResealDependencies, log: EventLog, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await resealAll(deps, log, signal);
      return;
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ reason: String(error) }, 'the master key is not replaced yet; trying again');
      await pause(retryMs, undefined, { signal }).catch(() => {});
    }
  }
}

async function resealAll(deps: ResealDependencies, log: EventLog, signal: AbortSignal): Promise<void> {
  const { store, vault, signingKeys, chain, events, masterKeys } = deps;
  const wasDone = (await keyStatusOf(deps)).done;
  // Templates of liveness sessions are not sealed anew: they expire within minutes.
  const until = wasDone ? null : await store.sealed.sessionTemplatesUntil();
  if (!wasDone) await events.administered(null, { operation: 'replace-master-key', stage: 'started' });
  const damaged = { rows: 0 };
  let galleries = 0;
  for (const gallery of await allGalleries(store)) {
    if (await resealGallery(store, vault, gallery, damaged, signal)) galleries += 1;
  }
  await resealMasterRows(store, deps, damaged, signal);
  await signingKeys.reseal();
  await chain.reseal();
  if (until && until.getTime() > Date.now()) await pause(until.getTime() - Date.now(), undefined, { signal });
  signal.throwIfAborted();
  await recordMasterKey(masterKeys[0], store.meta);
  if (damaged.rows > 0) log.warn({ rows: damaged.rows }, 'rows that open under no key were left as they are');
  if (!wasDone)
    await events.administered(null, { operation: 'replace-master-key', stage: 'done', galleries });
  log.info({ galleries }, 'everything is sealed under the master key; the former one can be removed');
}
