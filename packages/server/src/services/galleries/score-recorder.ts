import { galleryScoreBins } from '@wajah/contract';
import type { EventSubscriber, Facts } from '../../events/ports.ts';
import type { EventCells } from '../../events/table.ts';
import { countUp, createIntervalWriter } from '../../lib/batch-writer.ts';
import { dayOf } from '../../lib/time.ts';
import type { GalleryScoreCount, ScoreStore } from '../../store/ports/scores.ts';

/** Unwritten counts; further ones are dropped. */
const most = 5000;

interface Dependencies {
  readonly store: Pick<ScoreStore, 'add'>;
  readonly log: { warn(fields: object, message: string): void };
  /** False: nothing is counted. */
  readonly on: boolean;
}

/**
 * Counts the best similarities of probes that are compared with galleries, without their users, and writes the counts
 * every two seconds. Unwritten ones are lost when the process is killed.
 */
export function createScoreRecorder({ store, log, on }: Dependencies) {
  const writer = createIntervalWriter<Map<string, GalleryScoreCount>>({
    empty: () => new Map(),
    write: (counts) => store.add([...counts.values()]),
    lost: (error) => log.warn({ reason: String(error) }, 'counts of scores were not written'),
    everyMs: 2000,
  });
  return {
    count({ name, facts, detail }) {
      const probes = on ? (comparedProbes as AnyCompared)[name]?.(facts, detail) : undefined;
      for (const probe of probes ?? []) countUp(writer.batch(), countedProbe(probe), most);
    },
    settled: writer.settled,
  } satisfies EventSubscriber & { settled(): Promise<void> };
}

/** The best similarity of a probe that was compared with a gallery (internal number). */
type ComparedProbe = Pick<GalleryScoreCount, 'gallery' | 'comparison'> & { readonly similarity: number };

const comparedProbes: EventCells<readonly ComparedProbe[]> = {
  face_verified: (_, { gallery, similarity }) => [{ gallery, comparison: 'verify', similarity }],
  face_identified: (_, { gallery, best }) =>
    best.map((similarity) => ({ gallery, comparison: 'identify', similarity })),
};

type AnyCompared = Readonly<
  Record<string, ((facts: Facts, detail: unknown) => readonly ComparedProbe[]) | undefined>
>;

function countedProbe({ gallery, comparison, similarity }: ComparedProbe) {
  const bin = Math.min(galleryScoreBins - 1, Math.max(0, Math.floor(similarity * galleryScoreBins)));
  return { gallery, day: dayOf(Date.now()), comparison, bin };
}
