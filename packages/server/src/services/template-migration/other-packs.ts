import type { EmbeddingSpec } from '@wajah/engine';
import type { Store } from '../../store/store.ts';
import { contractText, packName, remedyFor } from '../galleries/lookup.ts';

/** What the operator should know when the server runs another pack than galleries were enrolled with; one line each. */
export async function warningsOfOtherPacks(
  { galleries }: Pick<Store, 'galleries'>,
  contract: EmbeddingSpec,
): Promise<string[]> {
  const mine = contractText(contract);
  const others = (await galleries.embeddingSpecs()).filter((use) => use.embeddingSpec !== mine);
  return others.map(
    (use) =>
      `${count(use.galleries, 'gallery', 'galleries')} with ${count(use.faces, 'face', 'faces')} belong to the model pack ${packName(use.embeddingSpec)}, this server runs ${packName(mine)}: calls on them are refused until they have gone over to it; ${remedyFor(use.embeddingSpec, contract)}.`,
  );
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}
