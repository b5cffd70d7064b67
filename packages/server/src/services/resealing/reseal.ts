import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { StoredAuditChain } from '../security/audit-chain.ts';
import { recordMasterKey } from '../security/keys/master-key.ts';
import type { SigningKeys } from '../security/keys/signing-keys.ts';
import type { Keys } from '../security/vaults/sealing.ts';
import type { TemplateVault } from '../security/vaults/template-vault.ts';
import type { Store } from '../store/store.ts';

interface ResealDependencies {
  readonly store: Pick<Store, 'clients' | 'galleries' | 'meta'>;
  readonly vault: Pick<TemplateVault, 'rewrapKey'>;
  readonly signingKeys: Pick<SigningKeys, 'reseal'>;
  readonly chain: Pick<StoredAuditChain, 'reseal'>;
  readonly masterKeys: Keys;
}

/**
 * Wraps the keys of all galleries, the signing keys and the key of the audit trail under the first master key, while the server serves. What was
 * done stays done: an interrupted run is completed by the next start.
 */
export function resealInBackground(deps: ResealDependencies, log: Logger): { stop(): Promise<void> } {
  if (deps.masterKeys.length === 1) return { stop: async () => {} };
  const stopping = new AbortController();
  const done = reseal(deps, stopping.signal).then(
    (galleries) => {
      if (galleries !== null) log.info({ galleries }, 'all gallery keys are wrapped under the master key');
    },
    (error: unknown) => log.warn({ reason: String(error) }, 'gallery keys were not all wrapped anew'),
  );
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

/** @returns number of galleries whose keys were wrapped anew; null: it was stopped */
async function reseal(
  { store, vault, signingKeys, chain, masterKeys }: ResealDependencies,
  signal: AbortSignal,
): Promise<number | null> {
  let count = 0;
  for (const { clientId } of await store.clients.list()) {
    for (const gallery of await store.galleries.list(clientId)) {
      if (signal.aborted) return null;
      const wrapped = vault.rewrapKey(gallery);
      // A gallery that was erased meanwhile has another key.
      if (wrapped && (await store.galleries.replaceKey(gallery.id, gallery.wrappedKey, wrapped))) count += 1;
      await nextTurn();
    }
  }
  await signingKeys.reseal();
  await chain.reseal();
  await recordMasterKey(masterKeys[0], store.meta);
  return count;
}
