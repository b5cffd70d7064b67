import { cohortPairs, cohortProbe } from '@wajah/engine';
import type { GalleryCohort } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { ServiceParts } from '../parts.ts';
import { calibrationFor } from './calibration.ts';
import { openedCohort } from './cohorts.ts';
import type { CalibratedEngine, Cohorts, GalleryScores } from './ports.ts';

interface ScoreParts extends ServiceParts<'vault'> {
  readonly cohorts: Cohorts;
  readonly engine: CalibratedEngine;
}

/**
 * The scores of a gallery: normalised by the statistics of its people where there are some, else those of inner
 * products. Statistics that are out of date are renewed in the background.
 */
export function galleryScores({ engine, vault, cohorts }: ScoreParts, gallery: GalleryRecord): GalleryScores {
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
function cohortOf({ engine, vault, cohorts }: ScoreParts, gallery: GalleryRecord): GalleryCohort | null {
  if (gallery.cohort === null || gallery.cohortMode === 'off') return null;
  const cohort = openedCohort(vault.gallery(gallery), engine, gallery);
  if (!cohort) cohorts.renew(gallery);
  return cohort;
}
