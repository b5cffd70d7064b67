import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TemplateVault } from '../security/template-vault.ts';
import type { FaceStore, GalleryRecord, SealedFace } from '../store/store.ts';
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
    for (;;) {
      const snapshot = await this.#faces.load(gallery.id, this.version);
      if (!snapshot) return false;
      const templates = await this.#open(gallery, snapshot.faces);
      // From here on in one turn: who searches sees the old version or the new one.
      if (this.#add(snapshot.faces, templates) && this.#matrix.size === snapshot.total) {
        this.#matrix.version = snapshot.version;
        return true;
      }
      // A removal was missed: which one, only the whole gallery says.
      this.#matrix = new GalleryMatrix(this.#kernel);
    }
  }

  /** One array for all, not one each: a million small arrays cost more than their contents. */
  async #open(gallery: GalleryRecord, faces: readonly SealedFace[]): Promise<Float32Array> {
    const vault = this.#vault.gallery(gallery);
    let templates = new Float32Array();
    for (const [index, { userId, template }] of faces.entries()) {
      if (index > 0 && index % sliceFaces === 0) await nextTurn();
      const opened = vault.open(userId, template);
      if (index === 0) templates = new Float32Array(opened.length * faces.length);
      if (opened.length * faces.length !== templates.length) throw new Error('templates of two lengths');
      templates.set(opened, index * opened.length);
    }
    return templates;
  }

  /** @returns false when the templates have another length than those that are there */
  #add(faces: readonly SealedFace[], templates: Float32Array): boolean {
    const dimensions = templates.length / faces.length;
    if (faces.length === 0) return true;
    if (!this.#matrix.fits(dimensions)) return false;
    this.#matrix.reserve(faces.length, dimensions);
    for (const [row, { userId, userName }] of faces.entries()) {
      this.#matrix.put({ userId, userName }, templates.subarray(row * dimensions, (row + 1) * dimensions));
    }
    return true;
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
