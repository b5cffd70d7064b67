import { cohortPairs, cohortProbe } from '@wajah/engine';
import type { GalleryCohort } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../store/store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { type CalibratedEngine, calibrationFor } from './calibration.ts';
import { openedCohort } from './cohorts.ts';

/** A probe that is compared with references of a gallery. */
interface GalleryProbe {
  /** The vector to search the gallery with, and to multiply references with. */
  readonly query: Float32Array;
  /** Similarity, 0…1, of a product of `query` with a reference. Monotone below 1. */
  similarityOf(product: number): number;
  /** The score that the similarity is calibrated from, without its upper limit; comparable between probes. */
  scoreOf(product: number): number;
}

/** How two people of a gallery are compared: score = a · b − weight × (a + b) · mean. */
interface PairScores {
  readonly mean: Float32Array | null;
  readonly weight: number;
  /** Similarity, 0…0.9999, of a score. Monotone. */
  similarityOf(score: number): number;
}

/** How the similarities of a gallery come about. */
export interface GalleryScores {
  /** Version of the statistics that they are normalised by, and the people measured; 0 and 0: not normalised. */
  readonly facts: { readonly cohort_version: number; readonly cohort_people: number };
  /** @param template of this server's pack */
  probe(template: Float32Array): GalleryProbe;
  pairs(): PairScores;
}

interface Parts {
  readonly engine: CalibratedEngine;
  readonly vault: ServiceDependencies['vault'];
  readonly cohorts: Pick<ServiceDependencies['cohorts'], 'renewIfStale' | 'renew'>;
}

/**
 * The scores of a gallery: normalised by the statistics of its people where there are some, else those of inner
 * products. Statistics that are out of date are renewed in the background.
 */
export function galleryScores({ engine, vault, cohorts }: Parts, gallery: GalleryRecord): GalleryScores {
  cohorts.renewIfStale(gallery);
  const calibration = calibrationFor(engine, gallery);
  const { cohortCurve: curve } = calibration;
  const cohort = curve && cohortOf({ engine, vault, cohorts }, gallery);
  if (!curve || !cohort) {
    return {
      facts: { cohort_version: 0, cohort_people: 0 },
      probe: (query) => ({ query, similarityOf: calibration.similarityOf, scoreOf: (product) => product }),
      pairs: () => ({ mean: null, weight: 0, similarityOf: calibration.similarityOf }),
    };
  }
  return {
    facts: { cohort_version: gallery.cohort?.version ?? 0, cohort_people: cohort.people },
    probe: (template) => cohortProbe(curve, cohort, template),
    pairs: () => cohortPairs(curve, cohort),
  };
}

/** @returns null when there are none that open, or the operator has switched them off */
function cohortOf({ engine, vault, cohorts }: Parts, gallery: GalleryRecord): GalleryCohort | null {
  if (gallery.cohort === null || gallery.cohortMode === 'off') return null;
  const cohort = openedCohort(vault.gallery(gallery), engine, gallery);
  if (!cohort) cohorts.renew(gallery);
  return cohort;
}
