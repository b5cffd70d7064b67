import { type Phrase, phrase, wordsOf } from '@wajah/contract/refusals';
import { type EmbeddingSpec, upgradeFrom } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { minuteMs } from '../../lib/time.ts';
import type { EmbeddingSpecUse, GalleryRecord, Store } from '../../store/ports.ts';
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
 * @throws Refusal `denied` when they are of another model pack; `busy` shortly after the gallery was switched, when
 *   another server already runs the other pack
 */
export function requireComparable(
  gallery: Pick<GalleryRecord, 'embeddingSpec' | 'migrated'>,
  engine: EngineTemplates,
): void {
  const own = embeddingSpecText(engine.embeddingSpec);
  if (gallery.embeddingSpec === null || gallery.embeddingSpec === own) return;
  const { migrated } = gallery;
  if (migrated?.from === own && Math.abs(Date.now() - migrated.at.getTime()) < rollingRestartMs) {
    throw new Refusal('galleryJustMigrated', { pack: packName(gallery.embeddingSpec) });
  }
  throw notComparable(gallery.embeddingSpec, engine.embeddingSpec);
}

/** Time within which all servers of a database are restarted with another pack. */
const rollingRestartMs = 15 * minuteMs;

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
  const samePack = stored !== null && (JSON.parse(stored) as Partial<EmbeddingSpec>).pack === pack;
  return phrase(samePack ? 'migrateElseEnrol' : 'startMigrateElseEnrol', { pack });
}

/** Pack, version and embedder of a stored embedding spec, in words. */
export function packName(stored: string | null): string {
  if (stored === null) return 'of another server';
  const { pack, version, embedder } = JSON.parse(stored) as Partial<EmbeddingSpec>;
  return `${pack} ${version} (${embedder})`;
}

/** One line for the operator for each other pack that galleries were enrolled with. */
export async function warningsOfOtherPacks(
  { galleries }: Pick<Store, 'galleries'>,
  engine: EngineTemplates,
): Promise<string[]> {
  const spec = engine.embeddingSpec;
  const own = embeddingSpecText(spec);
  const others = (await galleries.embeddingSpecs()).filter(({ embeddingSpec: stored }) => stored !== own);
  // A start converts those that it can: what is left has damaged rows, or is of a server of an earlier version.
  const converts = `\`wajah reembed --to ${spec.pack}\` converts them and names those that it cannot, then restart the server`;
  return others.map((use) => {
    const stored = use.embeddingSpec;
    const remedy = upgradeOf(engine, stored) ? converts : wordsOf(remedyFor(stored, spec));
    return `${countOf(use)} belong to the model pack ${packName(stored)}, this server runs ${packName(own)}: calls on them are refused until they are migrated; ${remedy}.`;
  });
}

/** @example countOf({ galleries: 1, faces: 2 }) // '1 gallery with 2 faces' */
function countOf({ galleries, faces }: Pick<EmbeddingSpecUse, 'galleries' | 'faces'>): string {
  return `${count(galleries, 'gallery', 'galleries')} with ${count(faces, 'face', 'faces')}`;
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}
