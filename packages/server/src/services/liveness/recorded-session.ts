import type { SubmitSessionRequest } from '@wajah/contract';
import type { Engine } from '@wajah/engine';
import type { LivenessSessionRecord } from '../../store/session-store.ts';
import { formatSimilarity } from '../recognition/format-similarity.ts';
import type { RecordedJudgement } from '../recordings/judgement.ts';
import type { SessionToRecord } from '../recordings/recorder.ts';
import type { LivenessContext } from './context.ts';
import type { AnalyzedFrame } from './frames/analyze-frames.ts';
import type { StepResult } from './judge.ts';
import type { Diagnostic } from './reasons.ts';

type LightFrame = NonNullable<SubmitSessionRequest['lightFrames']>[number];

/** The judgement of a session, in full. */
interface Judged {
  readonly passed: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly results: readonly StepResult[];
  readonly similarity: number | undefined;
  readonly light: RecordedJudgement['light'] | undefined;
}

/** What is recorded of a judged session, where the person agreed. */
export function recordingOf(
  { deps: { engine }, thresholds }: LivenessContext,
  session: LivenessSessionRecord,
  { frames, lightFrames = [], device }: SubmitSessionRequest,
  analyzed: readonly AnalyzedFrame[],
  { passed, diagnostics, results, similarity, light }: Judged,
): SessionToRecord {
  const representatives = new Set(results.flatMap(({ frame }) => frame ?? []));
  const scores = [...representatives].flatMap((index) => spoofScoreOf(analyzed[index]!) ?? []);
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return {
    id: session.id,
    clientId: session.clientId,
    at: new Date(),
    subject: session.subject,
    owners: ownersOf(session),
    images: [...frames, ...lightFrames].map(({ image = '' }) => image),
    judgement: {
      pack: scorerOf(engine),
      steps: session.steps,
      device: device ?? null,
      passed,
      reasons: diagnostics.map(({ name, detail }) => `${name}: ${detail}`),
      spoofScore: scores.length === 0 ? null : mean,
      spoofThreshold: thresholds.spoofOfMean(scores.length),
      similarity: similarity ?? null,
      light: light ?? null,
      lights: session.lights,
      frames: [
        ...analyzed.map((frame, index) => ({
          step: frames[index]!.step,
          capturedAt: frames[index]!.capturedAt ?? null,
          representative: representatives.has(index),
          ...measured(frame),
        })),
        ...lightFrames.map(lightFrame),
      ],
    },
  };
}

/** The default threshold differs between releases whose scores are not comparable. */
function scorerOf({ embeddingSpec: { pack, version }, padPack, spoofThreshold }: Engine): string {
  return `${pack} ${version}${padPack === null ? '' : ` with ${padPack}`}, default threshold ${formatSimilarity(spoofThreshold)}`;
}

/** A user is also found by the name alone, as a subject of the same name. */
function ownersOf({ clientId, galleryId, userId }: LivenessSessionRecord): SessionToRecord['owners'] {
  if (galleryId === null || userId === null) return [];
  return [
    { clientId, subject: userId },
    { clientId, galleryId },
    { clientId, galleryId, userId },
  ];
}

/** Its picture is not judged as that of a step is. */
function lightFrame({ light, capturedAt }: LightFrame, index: number) {
  const judged = { representative: false, spoofScore: null, faceSize: null, pose: null, error: null };
  return { step: `light ${light ?? index}`, capturedAt: capturedAt ?? null, ...judged };
}

function measured({ result }: AnalyzedFrame) {
  if ('error' in result) return { spoofScore: null, faceSize: null, pose: null, error: result.error.detail };
  const { box, pose, spoof } = result.face;
  const faceSize = Math.round(Math.min(box.width, box.height));
  return { spoofScore: spoof?.score ?? null, faceSize, pose: pose ?? null, error: null };
}

function spoofScoreOf({ result }: AnalyzedFrame): number | undefined {
  return 'face' in result ? result.face.spoof?.score : undefined;
}
