import type { Face } from '@wajah/engine';
import type { SubjectService } from '../../services/subjects/subjects.ts';
import { comprefaceSimilarity, probabilityOf, roundedTo5 } from './scales.ts';

type Detection = Awaited<ReturnType<SubjectService['detect']>>;

/** Of an analysis. */
export type AnalysisFacts = Pick<Detection, 'image' | 'stages' | 'pack'>;

/** What a call wants to see of faces. */
export interface Wish {
  readonly face_plugins: ReadonlySet<string>;
  readonly status: boolean;
  readonly similarity: 'compreface' | 'wajah';
}

/** A similarity in the scale that the call wants. */
export function similarityView(similarity: number, { similarity: scale }: Wish): number {
  return scale === 'wajah' ? roundedTo5(similarity) : comprefaceSimilarity(similarity);
}

/** Box, and what the plugins add; age, gender and embedding are never there. */
export function faceView(face: Face, facts: AnalysisFacts, { face_plugins: plugins, status }: Wish) {
  const { pose, mask, landmarks } = face;
  return {
    box: boxView(face, facts.image),
    ...(plugins.has('landmarks') && {
      landmarks: landmarks.map(({ x, y }) => [Math.round(x), Math.round(y)]),
    }),
    ...(plugins.has('pose') &&
      pose && {
        pose: { pitch: hundredths(pose.pitch), roll: hundredths(pose.roll), yaw: hundredths(pose.yaw) },
      }),
    ...(plugins.has('mask') && mask && { mask: maskView(mask) }),
    ...(status && { execution_time: timesView(facts, plugins) }),
  };
}

/** Models of the plugins that were asked for; null: the call does not ask. */
export function versionsView({ pack }: AnalysisFacts, { face_plugins: plugins, status }: Wish) {
  if (!status) return {};
  const model = `wajah ${pack}`;
  return {
    plugins_versions: {
      ...{ detector: model, calculator: model },
      ...(plugins.has('pose') && { pose: model }),
      ...(plugins.has('mask') && { mask: model }),
    },
  };
}

/** Whole pixels inside of the picture. */
function boxView({ box, score }: Face, { width, height }: AnalysisFacts['image']) {
  const within = (value: number, most: number) => Math.max(0, Math.min(most, Math.round(value)));
  return {
    probability: probabilityOf(score),
    x_max: within(box.x + box.width, width),
    y_max: within(box.y + box.height, height),
    x_min: within(box.x, width),
    y_min: within(box.y, height),
  };
}

function maskView({ worn, score }: NonNullable<Face['mask']>) {
  return worn
    ? { probability: roundedTo5(score), value: 'mask_worn_correctly' }
    : { probability: roundedTo5(1 - score), value: 'without_mask' };
}

/** Milliseconds for all faces of the picture. */
function timesView({ stages }: AnalysisFacts, plugins: Wish['face_plugins']) {
  const { detector = 0, mesh = 0, embedder = 0, features = 0 } = stages;
  return {
    detector: hundredths(detector),
    calculator: hundredths(embedder),
    ...(plugins.has('pose') && { pose: hundredths(mesh) }),
    ...(plugins.has('mask') && { mask: hundredths(features) }),
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
