import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_COHORT } from '@wajah/engine';
import type { GalleryVault } from '../../security/vaults/template-vault.ts';
import type { Store } from '../../store/store.ts';

/** user_ids read at a time. */
const PAGE = 1000;

interface Parts<Opened> {
  readonly faces: Pick<Store['faces'], 'list' | 'get'>;
  readonly vault: Pick<GalleryVault, 'sampleKey'>;
  /** Opens what is stored of a person. */
  open(userId: string, sealed: Uint8Array): Opened;
  /** Awaited after each person. */
  pause(): Promise<void>;
}

/** Templates of a gallery's people, or of a sample of MAX_COHORT of them. */
export interface OpenedSample<Opened> {
  /** Those of the embedding spec. */
  readonly templates: readonly Opened[];
  /** The sample has everybody. */
  readonly complete: boolean;
  /** Largest `sampleKey` in the sample; 0 in an empty gallery. */
  readonly lastKey: number;
}

/**
 * Opens the templates of the MAX_COHORT people, suspended ones excepted, who come first by `sampleKey`, in that order: the same people at every
 * server.
 * @param spec embedding spec (JSON)
 * @throws SealError
 */
export async function openSample<Opened>(
  parts: Parts<Opened>,
  gallery: number,
  spec: string,
): Promise<OpenedSample<Opened>> {
  const { faces, pause } = parts;
  const { sample, total } = await drawSample(parts, gallery);
  const templates: Opened[] = [];
  for (const { userId } of sample) {
    const face = await faces.get(gallery, userId);
    if (face?.embeddingSpec === spec) templates.push(parts.open(userId, face.template));
    await pause();
  }
  return { templates, complete: sample.length === total, lastKey: sample.at(-1)?.key ?? 0 };
}

async function drawSample({ faces, vault, pause }: Parts<unknown>, gallery: number) {
  let sample: { userId: string; key: number }[] = [];
  let total = 0;
  for (let after = ''; ; await nextTurn()) {
    const page = await faces.list(gallery, { after, limit: PAGE, matched: true });
    total += page.length;
    for (const { userId } of page) {
      const key = vault.sampleKey(userId);
      if (sample.length < MAX_COHORT || key < sample.at(-1)!.key) sample.push({ userId, key });
      await pause();
    }
    sample = sample.sort((a, b) => a.key - b.key).slice(0, MAX_COHORT);
    const last = page.at(-1);
    if (page.length < PAGE || !last) return { sample, total };
    after = last.userId;
  }
}
