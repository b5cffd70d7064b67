import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FaceSource } from '../../src/matching/cached-gallery.ts';
import { createExactMatcher } from '../../src/matching/exact-matcher.ts';
import type { Match, Matcher } from '../../src/matching/ports.ts';
import type { ScannerOptions } from '../../src/matching/scan/scanner.ts';
import type { TemplateVault } from '../../src/security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../src/store/ports/galleries.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { compareCodePoints } from './code-points.ts';
import { unlimited } from './store.ts';
import { randomNumbers } from './vectors.ts';

/** Content of a gallery at each of its versions: template by user_id. */
type History = Map<string, number[]>[];

const dimensions = 3;
const users = ['a', 'b', 'c', 'd', '\u{1f600}', '\uffee', 'g', 'h', 'i', 'j', 'k', 'l'];
const galleries = ['one', 'two'];

/**
 * Many workers enrol, replace, remove, search, and delete galleries and make them again, each pausing at random
 * where a real caller would wait. Every answer is compared with a naive search in each version that the gallery
 * had between the question and the answer, writes that were under way at the answer included: one of them must agree.
 */
export class Rehearsal {
  searches = 0;
  readonly wrong: string[] = [];
  readonly #random: () => number;
  readonly #store: Store;
  readonly #vault: TemplateVault;
  /** One for each simulated server: only changes of that server are reported to it. */
  readonly #matchers: Matcher[];
  readonly #history = new Map<number, History>();
  /** Writes that are not acknowledged yet: others may see them already. */
  readonly #inFlight = new Set<Promise<unknown>>();

  constructor(options: {
    seed: number;
    store: Store;
    vault: TemplateVault;
    budget: number;
    scanner?: ScannerOptions;
    servers?: number;
  }) {
    // A failed schedule is repeated with its seed.
    this.#random = randomNumbers(options.seed);
    this.#store = options.store;
    this.#vault = options.vault;
    const { faces } = options.store;
    const source: FaceSource = {
      slice: (...asked) => this.#slowly(() => faces.slice(...asked)),
      list: (gallery, page) => this.#slowly(() => faces.list(gallery, page)),
      recount: (gallery) => faces.recount(gallery),
    };
    const { vault, budget, scanner, servers = 1 } = options;
    this.#matchers = Array.from({ length: servers }, () =>
      createExactMatcher({ faces: source, vault, budget, ...(scanner ? { scanner } : {}) }),
    );
  }

  async run({ workers, steps }: { workers: number; steps: number }): Promise<void> {
    await this.#store.clients.create({ clientId: 'a', passwordHash: null, quota: unlimited });
    const work = async () => {
      for (let step = 0; step < steps; step++) await this.#step();
    };
    await Promise.all(Array.from({ length: workers }, work));
    for (const matcher of this.#matchers) await matcher.close();
  }

  async #step(): Promise<void> {
    const name = this.#pick(galleries);
    const gallery = await this.#gallery(name);
    const dice = this.#random();
    if (dice < 0.05) await this.#pick(this.#matchers).open(gallery, dimensions);
    else if (dice < 0.35) await this.#search(gallery);
    else if (dice < 0.75) await this.#enrol(gallery);
    else if (dice < 0.98) await this.#remove(gallery);
    else if (await this.#store.galleries.remove('a', name)) {
      await this.#pause();
      this.#pick(this.#matchers).evict(gallery.id);
    }
  }

  async #gallery(name: string): Promise<GalleryRecord> {
    const found = await this.#store.galleries.get('a', name);
    if (found) return found;
    const made = await this.#store.galleries.create('a', name, (id) => this.#vault.wrapNewKey('a', id));
    return typeof made === 'string' ? this.#gallery(name) : made;
  }

  async #enrol(gallery: GalleryRecord): Promise<void> {
    const userId = this.#pick(users);
    const values = this.#vector();
    const template = Float32Array.from(values);
    await this.#pause();
    const sealed = this.#vault.gallery(gallery).seal(userId, template);
    const row = { userId, userName: userId, template: sealed, embeddingSpec: 'c' };
    const write = this.#store.faces.put(gallery.id, row, true).then((seq) => {
      if (typeof seq === 'number') this.#note(gallery.id, seq, (now) => now.set(userId, values));
      return seq;
    });
    const seq = await this.#untilAcknowledged(write);
    if (typeof seq !== 'number') return;
    await this.#pause();
    this.#pick(this.#matchers).faceEnrolled(gallery.id, { userId, userName: userId, template, seq });
  }

  async #remove(gallery: GalleryRecord): Promise<void> {
    const userId = this.#pick(users);
    await this.#pause();
    const write = this.#store.faces.remove(gallery.id, userId).then((version) => {
      if (version !== false) this.#note(gallery.id, version, (now) => now.delete(userId));
      return version;
    });
    const version = await this.#untilAcknowledged(write);
    if (version === false) return;
    await this.#pause();
    this.#pick(this.#matchers).faceRemoved(gallery.id, userId, version);
  }

  async #search({ galleryId }: GalleryRecord): Promise<void> {
    const gallery = await this.#gallery(galleryId);
    const probe = this.#vector();
    const k = 1 + Math.floor(this.#random() * 4);
    const matches = await this.#pick(this.#matchers).search(gallery, Float32Array.from(probe), k);
    this.searches++;
    await Promise.all(this.#inFlight);
    const history = this.#history.get(gallery.id) ?? [new Map()];
    const possible = history.slice(gallery.version).map((now) => naive(now, probe, k));
    const isGone = (await this.#store.galleries.get('a', galleryId))?.id !== gallery.id;
    if (isGone) possible.push(shown([]));
    if (!possible.includes(shown(matches))) {
      this.wrong.push(`${shown(matches)} at version ${gallery.version}, not one of ${possible.join(' | ')}`);
    }
  }

  async #untilAcknowledged<T>(write: Promise<T>): Promise<T> {
    this.#inFlight.add(write);
    return write.finally(() => this.#inFlight.delete(write));
  }

  /** The store assigns versions one by one, and each is recorded in the same turn of the event loop. */
  #note(gallery: number, version: number, change: (now: Map<string, number[]>) => void): void {
    const history = this.#history.get(gallery) ?? [new Map<string, number[]>()];
    if (history.length !== version) throw new Error(`version ${version} follows ${history.length - 1}`);
    const now = new Map(history.at(-1));
    change(now);
    history.push(now);
    this.#history.set(gallery, history);
  }

  async #slowly<T>(read: () => Promise<T>): Promise<T> {
    await this.#pause();
    const result = await read();
    await this.#pause();
    return result;
  }

  async #pause(): Promise<void> {
    for (let turns = Math.floor(this.#random() * 4); turns > 0; turns--) await nextTurn();
  }

  /** Whole numbers: their products are exact and tie often. */
  #vector(): number[] {
    return Array.from({ length: dimensions }, () => Math.floor(this.#random() * 5) - 2);
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)]!;
  }
}

function naive(gallery: Map<string, number[]>, probe: readonly number[], k: number): string {
  const matches = [...gallery].map(([userId, vector]) => ({
    userId,
    userName: userId,
    score: vector.reduce((sum, value, i) => sum + value * probe[i]!, 0),
  }));
  matches.sort((a, b) => b.score - a.score || compareCodePoints(a.userId, b.userId));
  return shown(matches.slice(0, k));
}

function shown(matches: readonly Omit<Match, 'seq'>[]): string {
  // Negative zero becomes zero.
  return JSON.stringify(matches.map(({ userId, userName, score }) => [userId, userName, score + 0]));
}
