import type { TemplateVault } from '../security/template-vault.ts';
import type { FaceStore, GalleryRecord } from '../store/store.ts';
import type { Kernel } from './kernel.ts';
import { type Change, LiveGallery } from './live-gallery.ts';
import type { Match, Matcher } from './matcher.ts';
import { plainKernel } from './plain-kernel.ts';

export interface ExactMatcherOptions {
  readonly faces: Pick<FaceStore, 'load'>;
  readonly vault: TemplateVault;
  /** Memory for matrices, bytes; beyond it the galleries searched longest ago are forgotten. Default: 1 GiB. */
  readonly budget?: number;
  readonly kernel?: Kernel;
}

/**
 * A matcher that loads a gallery when it is first searched and compares with every template.
 *
 * @example
 * const matcher = createExactMatcher({ faces: store.faces, vault });
 * const [best] = await matcher.search(gallery, probe, 1);
 */
export function createExactMatcher(options: ExactMatcherOptions): Matcher {
  return new ExactMatcher(options);
}

/** One may already be under way that began too early for the caller; the next begins after the call. */
const maxReadings = 2;

class ExactMatcher implements Matcher {
  readonly #make: () => LiveGallery;
  readonly #budget: number;
  /** Searched longest ago first. */
  readonly #galleries = new Map<number, LiveGallery>();

  constructor({ faces, vault, budget = 2 ** 30, kernel = plainKernel }: ExactMatcherOptions) {
    this.#make = () => new LiveGallery(faces, vault, kernel);
    this.#budget = budget;
  }

  async search(gallery: GalleryRecord, probe: Float32Array, k: number): Promise<Match[]> {
    if (gallery.version === 0) return [];
    const live = this.#use(gallery.id);
    for (let readings = 0; live.version < gallery.version; readings++) {
      if (readings === maxReadings)
        throw new Error(`gallery ${gallery.id}: the store is behind its own record`);
      if (!(await live.catchUp(gallery))) return this.#gone(gallery.id, live);
      this.#keepBudget(live);
    }
    return live.best(probe, k);
  }

  enrolled(gallery: number, face: Parameters<Matcher['enrolled']>[1]): void {
    const { userId, userName, template, seq } = face;
    this.#changed(gallery, {
      version: seq,
      apply: (matrix) => matrix.put({ userId, userName }, template),
    });
  }

  removed(gallery: number, userId: string, version: number): void {
    this.#changed(gallery, { version, apply: (matrix) => matrix.remove(userId) });
  }

  dropped(gallery: number): void {
    this.#galleries.delete(gallery);
  }

  #use(id: number): LiveGallery {
    const live = this.#galleries.get(id) ?? this.#make();
    this.#galleries.delete(id);
    this.#galleries.set(id, live);
    return live;
  }

  #gone(id: number, live: LiveGallery): Match[] {
    if (this.#galleries.get(id) === live) this.#galleries.delete(id);
    return [];
  }

  #changed(gallery: number, change: Change): void {
    const live = this.#galleries.get(gallery);
    if (!live) return;
    const before = live.bytes;
    live.changed(change);
    if (live.bytes > before) this.#keepBudget(live);
  }

  /** @param inUse is kept, also when it is larger than the budget alone */
  #keepBudget(inUse: LiveGallery): void {
    let bytes = 0;
    for (const live of this.#galleries.values()) bytes += live.bytes;
    for (const [id, live] of this.#galleries) {
      if (bytes <= this.#budget) return;
      if (live === inUse) continue;
      this.#galleries.delete(id);
      bytes -= live.bytes;
    }
  }
}
