import type { Attributes, LivenessRequest, Parameter } from '@wajah/contract';
import type { Attribute, Face } from '@wajah/engine';
import { statesOf, templateOf, wearsMask } from '../pictures/main-face.ts';
import type { EnrolledPerson } from '../recognition/enrolled-person.ts';
import type { SpoofVerdict, Thresholds } from '../recognition/thresholds.ts';
import { angleEvidence, angleOf, eyesAre, eyesEvidence, stateEvidence } from './rules.ts';

/** What a picture must show. */
export interface Requirements extends Omit<LivenessRequest['faceParameters'], 'spoofDetection'> {
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
  /** Whether answers name the verdict. */
  readonly reported: boolean;
}

/** One finding for each requirement. */
export type Findings = Partial<Record<'angle' | 'eyes' | 'mouth' | 'verified', Finding>> & {
  real?: SpoofFinding;
};

export interface LivenessThresholds
  extends Pick<Thresholds, 'verification' | 'spoof' | 'spoofOfMean' | 'spoofVerdict' | 'countsAsSpoof'> {
  /** Degrees of yaw and pitch below which a head faces the front. */
  readonly frontAngle: number;
  /** Whether answers name the verdict on spoof: an extension that compatible answers lack. */
  readonly reportVerdict: boolean;
}

/** The state that a parameter of a batch or a step of a session requires. */
export function requiredState(parameter: Parameter): Pick<Requirements, 'angle' | 'eyes' | 'mouth'> {
  switch (parameter) {
    case 'eyes open':
      return { eyes: 'open' };
    case 'eyes closed':
      return { eyes: 'closed' };
    case 'mouth open':
      return { mouth: 'open' };
    case 'mouth closed':
      return { mouth: 'closed' };
    default:
      return { angle: parameter };
  }
}

/** The attributes that the engine must analyse to judge the requirements. */
export function attributesFor(required: Requirements): Attribute[] {
  const attributes: Attribute[] = ['mask'];
  if (required.angle) attributes.push('pose');
  if (required.eyes) attributes.push('eyes');
  if (required.mouth) attributes.push('mouth');
  if (required.spoofDetection) attributes.push('spoof');
  if (required.person) attributes.push('embedding');
  return attributes;
}

/** Judges a face that was analysed with at least `attributesFor(required)`. */
export function findingsOf(face: Face, required: Requirements, thresholds: LivenessThresholds): Findings {
  const { pose, eyes, mouth, spoof } = face;
  const { frontAngle } = thresholds;
  const findings: Findings = {};
  if (required.angle && pose) {
    const holds = angleOf(pose, frontAngle) === required.angle;
    findings.angle = { holds, evidence: angleEvidence(pose, required.angle, frontAngle) };
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
    const holds = !thresholds.countsAsSpoof(verdict);
    findings.real = { holds, evidence: 1 - spoof.score, verdict, reported: thresholds.reportVerdict };
  }
  if (required.person) {
    const similarity = required.person.similarity(templateOf(face));
    const threshold = thresholds.verification(required.person.gallery);
    findings.verified = { holds: similarity >= threshold, evidence: similarity };
  }
  return findings;
}

export function allHold(findings: Findings): boolean {
  return Object.values(findings).every(({ holds }) => holds);
}

/** Names of the requirements that do not hold, as the reasons of sessions have them. */
export function failuresOf(findings: Findings): string[] {
  const names = { verified: 'user', real: 'spoof' } as Readonly<Record<string, string>>;
  return Object.entries(findings).flatMap(([key, { holds }]) => (holds ? [] : [names[key] ?? key]));
}

/** Product of the evidence, 0…1. */
export function confidenceOf(findings: Findings): number {
  return Object.values(findings).reduce((product, { evidence }) => product * evidence, 1);
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

/** The analysed attributes of a face, in the names of the wire. */
export function attributesOf(face: Face, { real, verified }: Findings): Attributes {
  const { spoof } = face;
  return {
    ...(verified && { similarity: verified.evidence }),
    masker: wearsMask(face),
    ...(real && spoof && { is_spoof: !real.holds, spoof_score: spoof.score }),
    ...(real?.reported && { spoof_verdict: real.verdict }),
    ...statesOf(face),
  };
}
