import { sigmoid } from '../maths.ts';

/** Names of the components as on the wire: those of ISO/IEC 29794-5:2025, clause 7, in small letters. */
export type QualityComponentName =
  | 'illumination_uniformity'
  | 'luminance_mean'
  | 'luminance_variance'
  | 'under_exposure_prevention'
  | 'over_exposure_prevention'
  | 'dynamic_range'
  | 'natural_colour'
  | 'single_face_present'
  | 'eyes_open'
  | 'mouth_closed'
  | 'inter_eye_distance'
  | 'head_size'
  | 'leftward_crop_of_the_face_image'
  | 'rightward_crop_of_the_face_image'
  | 'margin_above_of_the_face_image'
  | 'margin_below_of_the_face_image'
  | 'head_pose_yaw'
  | 'head_pose_pitch'
  | 'head_pose_roll';

/** A quality component of a face image (ISO/IEC 29794-5). */
export interface QualityComponent {
  readonly name: QualityComponentName;
  /** Native measure in the component's own unit. */
  readonly native: number;
  /** Quality component value: an integer, 0 (worst) to 100 (best). */
  readonly score: number;
}

/** A component whose value is rounded to an integer and limited to 0…100. */
export function component(name: QualityComponentName, native: number, value: number): QualityComponent {
  return { name, native, score: Math.round(Math.max(0, Math.min(100, value))) };
}

/** Logistic function around `centre`: one half there, steeper with a smaller `width` (`sigmoid(x, x0, w)` of OFIQ). */
export function rise(x: number, centre: number, width: number): number {
  return sigmoid((x - centre) / width);
}
