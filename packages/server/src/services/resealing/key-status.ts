import { keyDigest, masterKeyCheck } from '../../security/keys/master-key.ts';
import type { Keys } from '../../security/vaults/sealing.ts';
import type { TemplateVault } from '../../security/vaults/template-vault.ts';
import type { Store } from '../../store/store.ts';
import { allGalleries } from '../galleries/lookup.ts';
import { renewalOf } from './reseal-rows.ts';

/** How far the master key is replaced. */
export interface KeyStatus {
  /** Whether a former master key is configured. */
  readonly formerKey: boolean;
  /** Nothing is sealed under a former master key any longer: it can be removed from the configuration. */
  readonly done: boolean;
  readonly galleries: number;
  /** Galleries whose keys or rows are not all under the present master key, and their faces. */
  readonly pendingGalleries: number;
  readonly pendingFaces: number;
}

interface KeyStatusDependencies {
  readonly store: Pick<Store, 'clients' | 'galleries' | 'meta'>;
  readonly vault: Pick<TemplateVault, 'renewKeys'>;
  readonly masterKeys: Keys;
}

/** How far the master key is replaced, from what the store holds. */
export async function keyStatusOf({ store, vault, masterKeys }: KeyStatusDependencies): Promise<KeyStatus> {
  const galleries = await allGalleries(store);
  const pending = galleries.filter((gallery) => {
    const renewal = renewalOf(vault, gallery);
    return renewal !== 'damaged' && (renewal !== null || gallery.formerKey !== null);
  });
  const isRecorded = (await store.meta.get(masterKeyCheck)) === keyDigest(masterKeys[0]);
  return {
    formerKey: masterKeys.length > 1,
    done: isRecorded && pending.length === 0,
    galleries: galleries.length,
    pendingGalleries: pending.length,
    pendingFaces: pending.reduce((sum, { faces }) => sum + faces, 0),
  };
}
