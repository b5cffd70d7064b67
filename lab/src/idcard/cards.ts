import { innerProduct } from '@wajah/engine';
import { extractTrainingFeatures, type OpenPack, type RgbPixels } from '@wajah/engine/training';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import type { AcquiredSample } from '../people/templates.ts';
import { withProgress } from '../run/progress.ts';

/** A picture of an identity card. */
export interface Card {
  readonly file: string;
  /** Last part of the identity: the folders above it differ between tasks. */
  readonly name: string;
  readonly variant: 'flat' | 'photo';
  readonly pixels: RgbPixels;
  /** Template of the most prominent face; null after a failure to acquire. */
  readonly template: Float32Array | null;
  /** The holder's pictures, without the one that is printed on the card. */
  readonly own: readonly AcquiredSample[];
}

/** Reads the cards of a split and computes their templates. */
export async function readCards(
  pack: OpenPack,
  folder: EvalFolder,
  split: Split,
  photos: readonly AcquiredSample[],
): Promise<Card[]> {
  const entries = folder.entries('idcard', split);
  const cards: Omit<Card, 'own'>[] = [];
  await withProgress('idcard', entries.length, async (step) => {
    for (const { file, identity, variant } of entries) {
      step();
      if (identity === undefined || variant === undefined) continue;
      const { pixels, faces } = await extractTrainingFeatures(pack, folder.bytes('idcard', file), 'fast');
      const template = (await faces[0]?.embedding()) ?? null;
      cards.push({ file, name: personOf(identity), variant, pixels, template });
    }
  });
  return cards.map((card) => ({ ...card, own: withoutPrinted(card.name, cards, photos) }));
}

export function personOf(identity: string): string {
  return identity.split('/').at(-1) ?? identity;
}

/** Without the picture that is printed on the card. No label names it: it is the one with the highest score. */
function withoutPrinted(
  name: string,
  cards: readonly Omit<Card, 'own'>[],
  photos: readonly AcquiredSample[],
): AcquiredSample[] {
  const own = photos.filter((photo) => personOf(photo.identity) === name);
  const drawn = cards.find((card) => card.name === name && card.variant === 'flat')?.template;
  if (!drawn) return own;
  const similarity = (photo: AcquiredSample) => innerProduct(photo.template, drawn);
  const printed = own.reduce<AcquiredSample | null>(
    (best, photo) => (best && similarity(best) >= similarity(photo) ? best : photo),
    null,
  );
  return own.filter((photo) => photo !== printed);
}
