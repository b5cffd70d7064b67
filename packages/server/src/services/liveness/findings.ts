import type { Attribute, Face } from '@wajah/engine';
import { statesOf, templateOf, wearsMask } from '../pictures/main-face.ts';
import type { EnrolledPerson } from '../recognition/enrolled-person.ts';
import type { Thresholds } from '../recognition/thresholds.ts';
import type { AngleName, LivenessAttributes } from '../services.ts';
import { angleEvidence, angleOf, eyesAre, eyesEvidence, probability } from './rules.ts';

/** What a picture is asked to show. */
export interface Asked {
  readonly angle?: AngleName | undefined;
  readonly eyes?: 'open' | 'closed' | undefined;
  readonly mouth?: 'open' | 'closed' | undefined;
  readonly spoofDetection: boolean;
  /** Whom it should show. */
  readonly person?: EnrolledPerson | undefined;
}

/** Whether one thing holds that was asked, and the probability (0…1) that it does. */
export interface Finding {
  readonly holds: boolean;
  readonly evidence: number;
}

/** The findings on what was asked; what was not asked has none. */
export type Findings = Partial<Record<'angle' | 'eyes' | 'mouth' | 'real' | 'verified', Finding>>;

/** What findings rest on. */
export interface LivenessThresholds {
  readonly thresholds: Pick<Thresholds, 'verification' | 'spoof'>;
  /** Degrees below which a head counts as facing the front. */
  readonly front: number;
}

/** What the engine must look for to answer what is asked. */
export function wantedFor(asked: Asked): Attribute[] {
  const want: Attribute[] = ['mask'];
  if (asked.angle) want.push('pose');
  if (asked.eyes) want.push('eyes');
  if (asked.mouth) want.push('mouth');
  if (asked.spoofDetection) want.push('spoof');
  if (asked.person) want.push('embedding');
  return want;
}

/** Holds a face, analysed with at least `wantedFor(asked)`, against what was asked. */
export function findingsOf(face: Face, asked: Asked, measure: LivenessThresholds): Findings {
  const { pose, eyes, mouth, spoof } = face;
  const { front, thresholds } = measure;
  const findings: Findings = {};
  if (asked.angle && pose) {
    const holds = angleOf(pose, front) === asked.angle;
    findings.angle = { holds, evidence: angleEvidence(pose, asked.angle, front) };
  }
  if (asked.eyes && eyes) {
    findings.eyes = { holds: eyesAre(eyes, asked.eyes), evidence: eyesEvidence(eyes, asked.eyes) };
  }
  if (asked.mouth && mouth) {
    findings.mouth = { holds: mouth.state === asked.mouth, evidence: probability(mouth, asked.mouth) };
  }
  if (asked.spoofDetection && spoof) {
    findings.real = { holds: spoof.score < thresholds.spoof, evidence: 1 - spoof.score };
  }
  if (asked.person) {
    const similarity = asked.person.similarity(templateOf(face));
    const threshold = thresholds.verification(asked.person.gallery);
    findings.verified = { holds: similarity >= threshold, evidence: similarity };
  }
  return findings;
}

export function allHold(findings: Findings): boolean {
  return Object.values(findings).every(({ holds }) => holds);
}

/** Product of the evidence, 0…1. */
export function confidenceOf(findings: Findings): number {
  return Object.values(findings).reduce((product, { evidence }) => product * evidence, 1);
}

/** The face with only those states that were asked about: an entry tells of what it was asked. */
export function askedOf(face: Face, { angle, eyes, mouth }: Asked): Face {
  const { pose: seenPose, eyes: seenEyes, mouth: seenMouth, ...rest } = face;
  return {
    ...rest,
    ...(angle && seenPose && { pose: seenPose }),
    ...(eyes && seenEyes && { eyes: seenEyes }),
    ...(mouth && seenMouth && { mouth: seenMouth }),
  };
}

/** What a face showed, in the wire's names: all that was looked for. */
export function attributesOf(face: Face, findings: Findings): LivenessAttributes {
  const { spoof } = face;
  const { real, verified } = findings;
  return {
    ...(verified && { similarity: verified.evidence }),
    masker: wearsMask(face),
    ...(real && spoof && { is_spoof: !real.holds, spoof_score: spoof.score }),
    ...statesOf(face),
  };
}
