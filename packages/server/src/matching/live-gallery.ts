import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TemplateVault } from '../security/template-vault.ts';
import type { FaceStore, GalleryRecord, GallerySnapshot, SealedFace } from '../store/store.ts';
import { GalleryMatrix } from './gallery-matrix.ts';
import type { Kernel } from './kernel.ts';
import type { Match } from './matcher.ts';

/** One change of a gallery: it brings the matrix from the version before to `version`. */
export interface Change {
  readonly version: number;
  apply(matrix: GalleryMatrix): void;
}

/** Templates opened in one turn of the event loop: about 3 ms. */
const sliceFaces = 500;

/** Changes kept for later; more than that are read from the store instead. */
const maxWaiting = 1000;

/** The matrix of one gallery, and how it keeps up: by the changes it is told of, or from the store. */
export class LiveGallery {
  readonly #faces: Pick<FaceStore, 'load'>;
  readonly #vault: TemplateVault;
  readonly #kernel: Kernel;
  /** Told of before their turn: out of order, or while the store is being read. */
  readonly #waiting = new Map<number, Change>();
  #matrix: GalleryMatrix;
  #reading: Promise<boolean> | null = null;

  constructor(faces: Pick<FaceStore, 'load'>, vault: TemplateVault, kernel: Kernel) {
    this.#faces = faces;
    this.#vault = vault;
    this.#kernel = kernel;
    // Every gallery is empty at version 0, so a first load is nothing but catching up.
    this.#matrix = new GalleryMatrix(kernel);
  }

  get version(): number {
    return this.#matrix.version;
  }

  get bytes(): number {
    return this.#matrix.bytes;
  }

  best(probe: Float32Array, k: number): Match[] {
    return this.#matrix.best(probe, k);
  }

  changed(change: Change): void {
    if (change.version <= this.version) return;
    this.#waiting.set(change.version, change);
    // While the store is read, nothing may change that the reading is added to.
    if (!this.#reading) this.#applyWaiting();
    if (this.#waiting.size > maxWaiting) this.#waiting.clear();
  }

  /**
   * Reads from the store what is missing; who asks meanwhile shares the reading.
   * @returns false when the gallery is gone
   */
  catchUp(gallery: GalleryRecord): Promise<boolean> {
    this.#reading ??= this.#read(gallery).finally(() => {
      this.#reading = null;
      this.#applyWaiting();
    });
    return this.#reading;
  }

  async #read(gallery: GalleryRecord): Promise<boolean> {
    const there = this.version === 0 ? 'missed' : await this.#readNews(gallery);
    return there === 'missed' ? this.#readAll(gallery) : there === 'done';
  }

  /** @returns `missed` when a removal was, for only the whole gallery says which */
  async #readNews(gallery: GalleryRecord): Promise<'done' | 'gone' | 'missed'> {
    const snapshot = await this.#faces.load(gallery.id, this.version);
    if (!snapshot) return 'gone';
    const opened: [SealedFace, Float32Array][] = [];
    await this.#open(gallery, snapshot, (face, template) => opened.push([face, template]));
    if (!opened.every(([, template]) => this.#matrix.fits(template.length))) return 'missed';
    // In one turn: who searches meanwhile sees the old version or the new one.
    for (const [{ userId, userName }, template] of opened) this.#matrix.put({ userId, userName }, template);
    if (this.#matrix.size === snapshot.total) {
      this.#matrix.version = snapshot.version;
      return 'done';
    }
    this.#matrix = new GalleryMatrix(this.#kernel);
    return 'missed';
  }

  /** Beside the matrix that is in use, so this may take many turns. @returns false when the gallery is gone */
  async #readAll(gallery: GalleryRecord): Promise<boolean> {
    const snapshot = await this.#faces.load(gallery.id);
    if (!snapshot) return false;
    const whole = new GalleryMatrix(this.#kernel);
    await this.#open(gallery, snapshot, ({ userId, userName }, template) => {
      whole.reserve(snapshot.total, template.length);
      whole.put({ userId, userName }, template);
    });
    if (whole.size !== snapshot.total) throw new Error(`gallery ${gallery.id} has another number of faces`);
    whole.version = snapshot.version;
    this.#matrix = whole;
    return true;
  }

  async #open(
    gallery: GalleryRecord,
    { faces }: GallerySnapshot,
    take: (face: SealedFace, template: Float32Array) => void,
  ): Promise<void> {
    const vault = this.#vault.gallery(gallery);
    for (const [index, face] of faces.entries()) {
      if (index > 0 && index % sliceFaces === 0) await nextTurn();
      take(face, vault.open(face.userId, face.template));
    }
  }

  #applyWaiting(): void {
    for (const version of this.#waiting.keys()) if (version <= this.version) this.#waiting.delete(version);
    for (;;) {
      const next = this.#waiting.get(this.version + 1);
      if (!next) return;
      this.#waiting.delete(next.version);
      next.apply(this.#matrix);
      this.#matrix.version = next.version;
    }
  }
}
