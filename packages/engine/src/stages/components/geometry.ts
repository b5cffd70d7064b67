import { distance } from '../../imaging/geometry.ts';
import type { Box, Pose, QualityComponent } from '../../types.ts';
import { type Mesh, pointOf } from '../mesh/mesh.ts';
import { component, rise } from './component.ts';
import type { FacePoints } from './portrait.ts';

/** Mesh points of the upper and lower lid at a quarter, half and three quarters of each eye, and of the inner lips. */
const LIDS = {
  right: [
    [160, 144],
    [159, 145],
    [158, 153],
  ],
  left: [
    [385, 380],
    [386, 374],
    [387, 373],
  ],
} as const;
const LIPS = [
  [81, 178],
  [13, 14],
  [311, 402],
] as const;

/** Head size at which the component is best: distance from eyes to chin over the height of the picture. */
const BEST_HEAD_SIZE = 0.45;

/**
 * Components of lids, lips, resolution and position, by the formulas of ISO/IEC 29794-5:2025 as OFIQ implements them.
 * Left and right are the person's own: the leftward crop is measured from the right eye to the left edge of the picture.
 * @param picture size of the upright picture, pixels
 */
export function geometryComponents(
  mesh: Mesh,
  points: FacePoints,
  yaw: number,
  picture: { readonly width: number; readonly height: number },
): QualityComponent[] {
  const { rightEye, leftEye, eyes, height } = points;
  const apart = distance(rightEye, leftEye);
  const resolution = apart / Math.cos((yaw * Math.PI) / 180);
  const widest = (pairs: readonly (readonly [number, number])[]) =>
    Math.max(...pairs.map(([p, q]) => distance(pointOf(mesh, p), pointOf(mesh, q)))) / height;
  const lids = Math.min(widest(LIDS.right), widest(LIDS.left));
  const lips = widest(LIPS);
  const size = height / picture.height;
  const margin = (name: QualityComponent['name'], native: number, least: number) =>
    component(name, native, 100 * rise(native, least, 0.1));
  return [
    component('eyes_open', lids, 100 * rise(lids, 0.02, 0.01)),
    component('mouth_closed', lips, 100 * (1 - rise(lips, 0.2, 0.06))),
    component('inter_eye_distance', resolution, 100 * rise(resolution, 70, 20)),
    component('head_size', size, 200 * (1 - rise(Math.abs(size - BEST_HEAD_SIZE), 0, 0.05))),
    margin('leftward_crop_of_the_face_image', rightEye.x / apart, 0.9),
    margin('rightward_crop_of_the_face_image', (picture.width - leftEye.x) / apart, 0.9),
    margin('margin_above_of_the_face_image', eyes.y / height, 1.4),
    margin('margin_below_of_the_face_image', (picture.height - eyes.y) / height, 1.8),
  ];
}

/** Head pose: the squared cosine of each angle. */
export function poseComponents({ yaw, pitch, roll }: Pose): QualityComponent[] {
  const angle = (name: QualityComponent['name'], degrees: number) =>
    component(name, degrees, 100 * Math.max(0, Math.cos((degrees * Math.PI) / 180)) ** 2);
  return [angle('head_pose_yaw', yaw), angle('head_pose_pitch', pitch), angle('head_pose_roll', roll)];
}

/** Single face present: area of the second largest face over that of the largest. */
export function singleFacePresent(boxes: readonly Box[]): QualityComponent {
  const [largest = 0, second = 0] = boxes.map(({ width, height }) => width * height).sort((p, q) => q - p);
  const native = largest > 0 ? second / largest : 0;
  return component('single_face_present', native, 100 * (1 - native));
}
