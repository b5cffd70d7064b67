import type { Attribute } from '@wajah/engine';
import type { ServiceDependencies } from '../dependencies.ts';
import { createPictures, imageField, type Pictures } from '../pictures/pictures.ts';
import { lookAtFace } from '../pictures/probe.ts';
import { type EnrolledPerson, enrolledPerson } from '../recognition/enrolled-person.ts';
import { createThresholds } from '../recognition/thresholds.ts';
import type { Caller, LivenessService } from '../services.ts';
import { createBatch } from './batch.ts';
import { allHold, attributesOf, confidenceOf, findingsOf, type LivenessThresholds } from './findings.ts';

/** What liveness stands on: of one picture, of a batch, of a session. */
export interface LivenessTools {
  readonly deps: ServiceDependencies;
  readonly pictures: Pictures;
  readonly measure: LivenessThresholds;
  /**
   * The person whom the pictures should show; undefined when none is named.
   * @throws Refusal `galleryNotFound` | `userNotFound` | `denied`
   */
  personOf(caller: Caller, user: NamedUser | undefined): Promise<EnrolledPerson | undefined>;
}

export interface NamedUser {
  readonly galleryId: string;
  readonly userId: string;
}

/** Whether somebody alive stands before the camera and does what was asked. */
export function createLivenessService(deps: ServiceDependencies): LivenessService {
  const tools = createLivenessTools(deps);
  return { single: createSingle(tools), batch: createBatch(tools) };
}

export function createLivenessTools(deps: ServiceDependencies): LivenessTools {
  const { engine, config } = deps;
  return {
    deps,
    pictures: createPictures(engine, config.limits),
    measure: {
      thresholds: createThresholds(engine, config.thresholds),
      front: config.thresholds.frontAngle,
    },
    personOf: async (caller, user) => user && enrolledPerson(deps, caller, user),
  };
}

/** A single call reports all that a face shows, whatever it was asked. */
const allAttributes = ['mask', 'pose', 'eyes', 'mouth'] as const satisfies readonly Attribute[];

function createSingle({ deps, pictures, measure, personOf }: LivenessTools): LivenessService['single'] {
  return async (caller, input) => {
    const person = await personOf(caller, input.user);
    const want: Attribute[] = [...allAttributes];
    if (input.spoofDetection) want.push('spoof');
    if (person) want.push('embedding');
    const picture = { field: imageField, text: input.image };
    const { face, analysis } = await lookAtFace(pictures, caller, picture, want, deps.config.limits.minFace);

    const { angle, eyes, mouth, spoofDetection } = input;
    const findings = findingsOf(face, { angle, eyes, mouth, spoofDetection, person }, measure);
    const passed = allHold(findings);
    const verification = person !== undefined;
    const { found } = analysis;
    deps.events.livenessJudged(caller, { way: 'single', passed, images: 1, verification, found });
    return {
      liveness: passed ? 'passed' : 'failed',
      confidence: confidenceOf(findings),
      verified: findings.verified?.holds,
      matchStatus: {
        ...(findings.verified && { verified: findings.verified.holds }),
        ...(findings.real && { is_real: findings.real.holds }),
        ...(findings.angle && { angle: findings.angle.holds }),
        ...(findings.eyes && { eyes: findings.eyes.holds }),
        ...(findings.mouth && { mouth: findings.mouth.holds }),
      },
      results: attributesOf(face, findings),
    };
  };
}
