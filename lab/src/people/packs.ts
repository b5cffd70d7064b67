import type { OpenPack } from '@wajah/engine/training';
import type { LabelledPicture } from '../data/people-folder.ts';
import type { ReportSection } from '../measure/figure.ts';
import { identificationSections } from './identification.ts';
import { computeTemplates, type Sample } from './templates.ts';
import { verificationSections } from './verification.ts';

/** Templates of pictures by one pack. */
export interface PackSamples {
  /** Id and version. */
  readonly name: string;
  readonly samples: readonly Sample[];
}

/** Computes the template of each picture with a pack. */
export async function packSamples(
  pack: OpenPack,
  pictures: readonly LabelledPicture[],
): Promise<PackSamples> {
  const { pack: id, version } = pack.embeddingSpec;
  return { name: `${id} ${version}`, samples: await computeTemplates(pack, pictures) };
}

/**
 * Packs compared on the same pictures: all pairs by subset and region, and searches by gallery size. FNMR and FNIR are
 * given at equal FMR and FPIR, which needs no calibration curve.
 */
export function packSections(packs: readonly PackSamples[]): ReportSection[] {
  const operation = { threshold: Number.NaN, curve: null };
  const each = packs.map(({ name, samples }) => ({
    name,
    pairs: verificationSections(samples, operation),
    searches: identificationSections(samples, operation),
  }));
  const rows = (
    of: (one: (typeof each)[number]) => readonly ReportSection[],
    table: string,
    title: string,
  ) => {
    const parts = of(each[0]!).flatMap((section) =>
      section.table?.title === table ? [section.table.row] : [],
    );
    return parts.flatMap((part) =>
      each.flatMap((one): ReportSection[] => {
        const section = of(one).find((other) => other.table?.title === table && other.table.row === part);
        const row = `${part}, ${one.name}`;
        return section
          ? [{ title: `${title}: ${row}`, table: { title, row }, figures: section.figures }]
          : [];
      }),
    );
  };
  return [
    ...rows(({ pairs }) => pairs, 'All pairs', 'Packs compared: all pairs'),
    ...rows(({ searches }) => searches, 'By gallery size', 'Packs compared: searches by gallery size'),
  ];
}
