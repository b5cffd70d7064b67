import type { Sampler } from '../../imaging/sampler.ts';
import type { Box, Pose, QualityComponent } from '../../types.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { naturalColour } from './colour.ts';
import { geometryComponents, poseComponents, singleFacePresent } from './geometry.ts';
import { lightComponents } from './light.ts';
import { facePoints, portraitOf } from './portrait.ts';

/** A face whose quality components are measured. */
export interface ComponentsInput {
  /** Pixels of the upright picture, whose size the sampler tells. */
  readonly mesh: Mesh;
  readonly pose: Pose;
  /** Boxes of all faces of the picture. */
  readonly faces: readonly Box[];
}

/**
 * The quality components of ISO/IEC 29794-5:2025 that need landmarks and head pose but no network of their own. Formulas
 * and mappings to 0…100 are those of OFIQ, the reference implementation of the standard (BSI, version 1.0.3), on this
 * engine's landmarks, alignment and angles. docs/quality.md lists the differences and the components that are left out.
 */
export function qualityComponents(from: Sampler, { mesh, pose, faces }: ComponentsInput): QualityComponent[] {
  const points = facePoints(mesh);
  const portrait = portraitOf(from, mesh);
  return [
    ...lightComponents(portrait, points),
    naturalColour(portrait, points),
    singleFacePresent(faces),
    ...geometryComponents(mesh, points, pose.yaw, from),
    ...poseComponents(pose),
  ];
}
