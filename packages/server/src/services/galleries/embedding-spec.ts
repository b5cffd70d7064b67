import { type Phrase, phrase, wordsOf } from '@wajah/contract/refusals';
import { type EmbeddingSpec, upgradeFrom } from '@wajah/engine';
import { bad, type Fault } from '../../config/finding.ts';
import { DamagedRow, Refusal } from '../../errors.ts';
import { isEmbeddingSpec } from '../../store/calibrations.ts';
import { packOf } from '../../store/next-pack.ts';
import type { EmbeddingSpecUse, GalleryRecord } from '../../store/ports/galleries.ts';
import type { Store } from '../../store/ports/store.ts';
import type { EngineTemplates } from './ports.ts';

/** The stored form of an embedding spec: JSON with its keys in a fixed order, so that equal specs are equal texts. */
export function embeddingSpecText(spec: EmbeddingSpec): string {
  const { pack, version, embedder, alignment, dimensions, normalisation } = spec;
  return JSON.stringify({ pack, version, embedder, alignment, dimensions, normalisation });
}

/** @param stored embedding spec (JSON) @returns the conversion of such a template; null: a picture is needed */
export function upgradeOf(engine: EngineTemplates, stored: string | null): ReturnType<typeof upgradeFrom> {
  const upgrade = engine.upgrades.find(({ from }) => embeddingSpecText(from) === stored);
  return upgrade ? upgradeFrom(engine, upgrade.from) : null;
}

/**
 * Checks that the templates of a gallery can be compared with those of the server's pack.
 * @throws Refusal `denied` when they are of another model pack, or not all of one @throws DamagedRow
 */
export function requireComparable(
  gallery: Pick<GalleryRecord, 'id' | 'embeddingSpec' | 'formerSpec'>,
  engine: EngineTemplates,
): void {
  const { embeddingSpec, formerSpec } = gallery;
  if (embeddingSpec === null) return;
  const isOwn = embeddingSpec === embeddingSpecText(engine.embeddingSpec);
  if (isOwn && formerSpec === null) return;
  if (!isEmbeddingSpec(embeddingSpec)) throw new DamagedRow('galleries.embedding_spec', `id ${gallery.id}`);
  if (formerSpec !== null) {
    const names = { stored: packName(embeddingSpec), pack: packOf(embeddingSpec) };
    throw new Refusal('galleryPartlyMigrated', names);
  }
  throw notComparable(embeddingSpec, engine.embeddingSpec);
}

/** @param stored embedding spec of the gallery; null: unknown */
export function notComparable(stored: string | null, spec: EmbeddingSpec): Refusal {
  const own = `${spec.pack} ${spec.version} (${spec.embedder})`;
  return new Refusal('galleryNotComparable', {
    stored: packName(stored),
    own,
    remedy: remedyFor(stored, spec),
  });
}

/** What the operator can do. A pack that was changed in place cannot be started again. */
function remedyFor(stored: string | null, { pack }: EmbeddingSpec): Phrase {
  const samePack = stored !== null && isEmbeddingSpec(stored) && packOf(stored) === pack;
  return phrase(samePack ? 'migrateElseEnrol' : 'startMigrateElseEnrol', { pack });
}

/** Pack, version and embedder of a stored embedding spec, in words. */
export function packName(stored: string | null): string {
  if (stored === null || !isEmbeddingSpec(stored)) return 'of another server';
  const { pack, version, embedder } = JSON.parse(stored) as Partial<EmbeddingSpec>;
  return `${pack} ${version} (${embedder})`;
}

/** Galleries that this server refuses calls on, since they are of another pack, or not all of one. */
export async function findOtherPacks(
  { galleries }: Pick<Store, 'galleries'>,
  engine: EngineTemplates,
): Promise<Fault[]> {
  const spec = engine.embeddingSpec;
  const own = embeddingSpecText(spec);
  const others = (await galleries.embeddingSpecs()).filter(
    ({ embeddingSpec: stored, formerSpec }) => stored !== own || formerSpec !== null,
  );
  const converts = `stop the server and run \`wajah reembed --to ${spec.pack}\`, which converts them without pictures`;
  return others.map((use) => {
    const stored = use.embeddingSpec;
    if (use.formerSpec !== null || !isEmbeddingSpec(stored)) return partlyMigrated(use);
    const remedy = upgradeOf(engine, stored) ? converts : wordsOf(remedyFor(stored, spec));
    const packs = { stored: packName(stored), runs: `this server runs ${packName(own)}` };
    return otherPack(countOf(use), packs, remedy);
  });
}

/** @param whose galleries, as a subject */
export const otherPack = (
  whose: string,
  { stored, runs }: { readonly stored: string; readonly runs: string },
  remedy: string,
) =>
  bad(
    'other_pack',
    `${whose} belong to the model pack ${stored}, ${runs}: calls on them are refused until they are migrated`,
    remedy,
  );

/** Galleries that were migrated in part, or whose spec says nothing. */
export function partlyMigrated(use: EmbeddingSpecUse): Fault {
  const stored = use.embeddingSpec;
  if (!isEmbeddingSpec(stored))
    return bad(
      'embedding_specs',
      `${countOf(use)} have an embedding spec that cannot be read (galleries.embedding_spec): calls on them are refused`,
      'put right in the database what `wajah doctor` names, or restore a backup',
    );
  return bad(
    'partly_migrated',
    `${countOf(use)} are migrated to the model pack ${packName(stored)} in part: calls on them are refused`,
    `stop the server and run \`wajah reembed --to ${packOf(stored)}\`, which completes it`,
  );
}

/** @example countOf({ galleries: 1, faces: 2 }) // '1 gallery with 2 faces' */
function countOf({ galleries, faces }: Pick<EmbeddingSpecUse, 'galleries' | 'faces'>): string {
  return `${count(galleries, 'gallery', 'galleries')} with ${count(faces, 'face', 'faces')}`;
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}
