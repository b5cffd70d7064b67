import type { Angle, RequestOf } from '@wajah/contract';
import type { Attribute, Eyes, Face, Pose, StateEstimate } from '@wajah/engine';
import { isUnclear, statesOf, templateOf, wearsMask } from '../faces/main-face.ts';
import { formatSimilarity } from '../galleries/format-similarity.ts';
import type { EnrolledPerson, SpoofVerdict, Thresholds } from '../galleries/ports.ts';
import type { JudgedAttributes } from './ports.ts';
import { createReason } from './reasons.ts';

/** What a picture must show. */
export interface Requirements extends Omit<RequestOf<'verifyLiveness'>['faceParameters'], 'spoofDetection'> {
  readonly spoofDetection: boolean;
  readonly person?: EnrolledPerson | undefined;
}

/** Whether one requirement holds, and the probability (0…1) that it does. */
export interface Finding {
  readonly holds: boolean;
  readonly evidence: number;
}

/** Whether a face is a bona fide presentation. */
export interface SpoofFinding extends Finding {
  readonly verdict: SpoofVerdict;
  /** Whether it fails because no network judged it. */
  readonly unjudged: boolean;
  /** Whether answers name the verdict. */
  readonly reported: boolean;
}

/** One finding for each requirement. */
export type Findings = Partial<Record<'angle' | 'eyes' | 'mouth' | 'verified', Finding>> & {
  real?: SpoofFinding;
};

export interface LivenessThresholds
  extends Pick<
    Thresholds,
    'verification' | 'spoof' | 'spoofOfMean' | 'spoofVerdict' | 'isUnjudged' | 'countsAsSpoof'
  > {
  /** Whether answers name the verdict on spoof: an extension that compatible answers lack. */
  readonly reportVerdict: boolean;
}

/** The attributes that the engine must analyse to judge the requirements. */
export function attributesFor(required: Requirements): Attribute[] {
  const attributes: Attribute[] = ['mask'];
  if (required.angle) attributes.push('pose');
  if (required.eyes) attributes.push('eyes');
  if (required.mouth) attributes.push('mouth');
  if (required.spoofDetection) attributes.push('spoof');
  if (required.person) attributes.push('embedding', 'unclear');
  return attributes;
}

/** Judges a face that was analysed with at least `attributesFor(required)`. */
export function findingsOf(face: Face, required: Requirements, thresholds: LivenessThresholds): Findings {
  const { pose, eyes, mouth, spoof } = face;
  const findings: Findings = {};
  if (required.angle && pose) {
    const holds = angleOf(pose) === required.angle;
    findings.angle = { holds, evidence: angleEvidence(pose, required.angle) };
  }
  if (required.eyes && eyes) {
    findings.eyes = { holds: eyesAre(eyes, required.eyes), evidence: eyesEvidence(eyes, required.eyes) };
  }
  if (required.mouth && mouth) {
    const holds = mouth.state === required.mouth;
    findings.mouth = { holds, evidence: stateEvidence(mouth, required.mouth) };
  }
  if (required.spoofDetection && spoof) {
    const verdict = thresholds.spoofVerdict(spoof);
    const holds = !thresholds.countsAsSpoof(spoof);
    const unjudged = thresholds.isUnjudged(spoof);
    findings.real = {
      holds,
      evidence: 1 - spoof.score,
      verdict,
      unjudged,
      reported: thresholds.reportVerdict,
    };
  }
  if (required.person) {
    const similarity = required.person.similarity(templateOf(face));
    const threshold = thresholds.verification(required.person.gallery);
    findings.verified = { holds: similarity >= threshold, evidence: similarity };
  }
  return findings;
}

/** Compares the face of a session, analysed with `unclear`: one that says too little matches nobody, however similar. */
export function verify(person: EnrolledPerson, face: Face, thresholds: Pick<Thresholds, 'verification'>) {
  const similarity = person.similarity(templateOf(face));
  const threshold = thresholds.verification(person.gallery);
  const figures = `similarity ${formatSimilarity(similarity)}, threshold ${formatSimilarity(threshold)}`;
  const rules = face.unclear?.map(({ name }) => name).join(', ');
  const unclear = isUnclear(face) && createReason('quality', `too unclear to compare with user_id: ${rules}`);
  const reason =
    unclear || (similarity < threshold && createReason('user', 'the face does not match user_id', figures));
  return { holds: !reason, similarity, threshold, reason };
}

export function allHold(findings: Findings): boolean {
  return Object.values(findings).every(({ holds }) => holds);
}

/** Names of the requirements that do not hold, as the reasons of sessions have them. */
export function failuresOf(findings: Findings): string[] {
  const names = { verified: 'user', real: 'spoof' } as Readonly<Record<string, string>>;
  return Object.entries(findings).flatMap(([key, { holds }]) => (holds ? [] : [names[key] ?? key]));
}

/** Product of the evidence but the similarity, 0…1. */
export function confidenceOf({ verified: _, ...others }: Findings): number {
  return Object.values(others).reduce((product, { evidence }) => product * evidence, 1);
}

/** The face with only the required states, which are the ones that an entry of an answer reports. */
export function withRequiredStates({ pose, eyes, mouth, ...rest }: Face, required: Requirements): Face {
  return {
    ...rest,
    ...(required.angle && pose && { pose }),
    ...(required.eyes && eyes && { eyes }),
    ...(required.mouth && mouth && { mouth }),
  };
}

export function attributesOf(face: Face, { real, verified }: Findings): JudgedAttributes {
  const { spoof } = face;
  return {
    ...(verified && { similarity: verified.evidence }),
    masker: wearsMask(face),
    ...(real && spoof && { isSpoof: !real.holds, spoofScore: spoof.score }),
    ...(real?.reported && { spoofVerdict: real.verdict }),
    ...statesOf(face),
  };
}

/** Degrees of yaw and pitch below which a head faces the front. */
export const frontAngle = 12;

/**
 * The direction of a head: front when both angles are below `frontAngle`, otherwise that of the larger of yaw and pitch;
 * undefined when both are equal.
 */
export function angleOf({ yaw, pitch }: Pose): Angle | undefined {
  const [sideways, upright] = [Math.abs(yaw), Math.abs(pitch)];
  if (sideways < frontAngle && upright < frontAngle) return 'face front';
  if (sideways > upright) return yaw > 0 ? 'face left' : 'face right';
  if (upright > sideways) return pitch > 0 ? 'face up' : 'face down';
  return undefined;
}

/** Distance of a pose from the border of a direction, degrees; negative outside of it. */
export function angleMargin({ yaw, pitch }: Pose, name: Angle): number {
  const [sideways, upright] = [Math.abs(yaw), Math.abs(pitch)];
  switch (name) {
    case 'face front':
      return frontAngle - Math.max(sideways, upright);
    case 'face left':
      return Math.min(yaw - frontAngle, yaw - upright);
    case 'face right':
      return Math.min(-yaw - frontAngle, -yaw - upright);
    case 'face up':
      return Math.min(pitch - frontAngle, pitch - sideways);
    case 'face down':
      return Math.min(-pitch - frontAngle, -pitch - sideways);
  }
}

/** Mean error of the estimated angles, degrees: 1–4° up to 30° (docs/accuracy.md). */
const angleError = 4;

/** Probability (0…1) that the head has a direction, given the error of the estimated angles. */
export function angleEvidence(pose: Pose, name: Angle): number {
  // The logistic curve with this slope approximates the normal distribution within 0.01.
  return 1 / (1 + Math.exp((-1.702 * angleMargin(pose, name)) / angleError));
}

/** Eyes are open when both are, and closed when both are. */
export function eyesAre(eyes: Eyes, required: 'open' | 'closed'): boolean {
  return eyes.left.state === required && eyes.right.state === required;
}

/** Probability (0…1) that both eyes have a state. */
export function eyesEvidence(eyes: Eyes, required: 'open' | 'closed'): number {
  return stateEvidence(eyes.left, required) * stateEvidence(eyes.right, required);
}

/** Probability (0…1) of a state, from the judged state and its score. */
function stateEvidence<State extends string>(judged: StateEstimate<State>, required: State): number {
  return judged.state === required ? judged.score : 1 - judged.score;
}
