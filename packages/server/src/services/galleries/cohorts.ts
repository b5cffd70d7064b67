import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CohortCurve, type Engine, MAX_COHORT, MIN_COHORT, measureCohort } from '@wajah/engine';
import { yieldingPause } from '../../lib/event-loop-yielder.ts';
import { openedOrNull, SealError } from '../../security/vaults/sealing.ts';
import type { GalleryCohort, GalleryVault } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { Store } from '../../store/ports/store.ts';
import type { ServiceParts } from '../parts.ts';
import { calibrationFor } from './calibration.ts';
import { embeddingSpecText } from './embedding-spec.ts';
import type { CalibratedEngine, Cohorts, GalleryName } from './ports.ts';

/** Statistics are renewed at once after changes of more than this share of the people. */
const STALE_SHARE = 0.05;
/** After fewer changes they are renewed after this time: once for each MAX_COHORT people of the gallery, at most an hour. */
const DELAY_MS = 60_000;
const LONGEST_DELAY_MS = 60 * DELAY_MS;

/**
 * From this similarity on, which 1 in 100,000 pairs of random people reach, two templates count as one person: a gallery in
 * which one person is enrolled under many user_ids would measure that person against themselves.
 */
const SAME_PERSON = 0.77;

interface Parts extends ServiceParts<'store' | 'vault'> {
  readonly engine: CalibratedEngine;
  /** Receives a line when statistics cannot be renewed; the next change tries again. */
  readonly log: { warn(fields: object, message: string): void };
}

export function createCohorts(parts: Parts): Cohorts {
  return new CohortRenewal(parts);
}

class CohortRenewal implements Cohorts {
  readonly #parts: Parts;
  /** By internal number of the gallery. */
  readonly #waiting = new Map<number, GalleryName>();
  readonly #timers = new Map<number, NodeJS.Timeout>();
  /** Versions of galleries in which too few people were found, by internal number. */
  readonly #tooFew = new Map<number, number>();
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  renewIfStale(gallery: GalleryRecord): void {
    const { cohort, cohortMode, version, faces } = gallery;
    if (cohortMode !== 'auto' || !calibrationFor(this.#parts.engine, gallery).cohortCurve) return;
    const measured = cohort?.version ?? this.#tooFew.get(gallery.id);
    if (measured === version || (!cohort && faces < MIN_COHORT)) return;
    const stale = measured === undefined || faces < MIN_COHORT || version - measured > STALE_SHARE * faces;
    if (stale) this.renew(gallery);
    else this.#renewLater(gallery);
  }

  faceErased(gallery: GalleryRecord, userId: string): void {
    if (gallery.cohort && gallery.cohortMode === 'auto' && this.#wasMeasured(gallery, userId)) {
      this.renew(gallery);
    } else this.renewIfStale(gallery);
  }

  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await this.settled();
  }

  #wasMeasured(gallery: GalleryRecord, userId: string): boolean {
    // Of a gallery whose key is damaged people can be erased, and statistics cannot be renewed.
    const vault = openedOrNull(() => this.#parts.vault.gallery(gallery));
    const cohort = vault && openedCohort(vault, this.#parts.engine, gallery);
    return !vault || !cohort || cohort.complete || vault.sampleKey(userId) <= cohort.lastKey;
  }

  #renewLater(gallery: GalleryRecord): void {
    if (this.#timers.has(gallery.id) || this.#closed) return;
    const delay = Math.min(LONGEST_DELAY_MS, DELAY_MS * Math.max(1, gallery.faces / MAX_COHORT));
    const { id, clientId, galleryId } = gallery;
    const timer = setTimeout(() => this.renew({ id, clientId, galleryId }), delay);
    this.#timers.set(id, timer.unref());
  }

  renew({ id, clientId, galleryId }: GalleryName): void {
    if (this.#closed) return;
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#waiting.set(id, { id, clientId, galleryId });
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    for (const [id, gallery] of this.#waiting) {
      this.#waiting.delete(id);
      try {
        await this.#measure(gallery);
      } catch (error) {
        this.#parts.log.warn(
          { gallery: id, reason: String(error) },
          'the statistics of a gallery were not renewed',
        );
      }
    }
    this.#running = null;
  }

  async #measure({ id, clientId, galleryId }: GalleryName) {
    const { store, vault, engine } = this.#parts;
    this.#tooFew.delete(id);
    // Read now: a call may have waited behind others.
    const gallery = await store.galleries.get(clientId, galleryId);
    if (gallery?.id !== id || gallery.cohortMode !== 'auto') return;
    const { cohortCurve } = calibrationFor(engine, gallery);
    const spec = embeddingSpecText(engine.embeddingSpec);
    if (!cohortCurve || gallery.formerSpec !== null) return;
    if (gallery.embeddingSpec !== spec && gallery.faces >= MIN_COHORT) return;
    const opener = vault.gallery(gallery);
    const cohort = await measured(this.#parts, opener, gallery, cohortCurve);
    if (this.#closed) return;
    const { version } = gallery;
    if (!cohort) this.#tooFew.set(id, version);
    // Statistics of the same version that do not open would stand in the way of new ones.
    const obsolete = gallery.cohort && (!cohort || !openedCohort(opener, engine, gallery));
    if (obsolete) await store.galleries.storeCohort(id, null);
    if (!cohort) return;
    const sealed = opener.sealCohort(spec, cohort);
    await store.galleries.storeCohort(id, { version, people: cohort.people, sealed });
  }
}

/** @returns null when there are too few people with a template of the pack */
async function measured(
  { store: { faces }, engine }: Parts,
  vault: GalleryVault,
  { id, faces: count }: GalleryRecord,
  curve: CohortCurve,
): Promise<GalleryCohort | null> {
  if (count < MIN_COHORT) return null;
  const pause = yieldingPause();
  const spec = embeddingSpecText(engine.embeddingSpec);
  const { templates, ...sample } = await openSample({ faces, vault, open: vault.open, pause }, id, spec);
  const same = (product: number) => engine.similarityOf(product) >= SAME_PERSON;
  const cohort = await measureCohort(curve, templates, { complete: sample.complete, same, pause });
  return cohort && { ...cohort, lastKey: sample.lastKey };
}

/**
 * The statistics of a gallery. They are opened at each call, which takes 0.1 ms.
 * @returns null when there are none, or they are of another pack, an earlier format, or a key that was replaced
 */
export function openedCohort(
  vault: GalleryVault,
  { embeddingSpec }: Pick<Engine, 'embeddingSpec'>,
  { cohort }: Pick<GalleryRecord, 'cohort'>,
): GalleryCohort | null {
  if (!cohort) return null;
  try {
    return vault.openCohort(embeddingSpecText(embeddingSpec), cohort.sealed);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

/** user_ids read at a time. */
const PAGE = 1000;

interface SampleParts<Opened> {
  readonly faces: Pick<Store['faces'], 'list' | 'get'>;
  readonly vault: Pick<GalleryVault, 'sampleKey'>;
  /** Opens what is stored of a person. */
  open(userId: string, sealed: Uint8Array): Opened;
  /** Awaited after each person. */
  pause(): Promise<void>;
}

/** Templates of a gallery's people, or of a sample of MAX_COHORT of them. */
interface OpenedSample<Opened> {
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
 */
export async function openSample<Opened>(
  parts: SampleParts<Opened>,
  gallery: number,
  spec: string,
): Promise<OpenedSample<Opened>> {
  const { faces, pause } = parts;
  const { sample, total } = await drawSample(parts, gallery);
  const templates: Opened[] = [];
  for (const { userId } of sample) {
    const face = await faces.get(gallery, userId);
    // One that does not open is left out, as in searches.
    const opened =
      face?.embeddingSpec === spec ? openedOrNull(() => parts.open(userId, face.template)) : null;
    if (opened !== null) templates.push(opened);
    await pause();
  }
  return { templates, complete: sample.length === total, lastKey: sample.at(-1)?.key ?? 0 };
}

async function drawSample({ faces, vault, pause }: SampleParts<unknown>, gallery: number) {
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
