// What the package of a profile uses of the server.
export { Refusal } from './errors.ts';
export { foundTwice, textOf } from './http/bodies/form-fields.ts';
export { type FormPart, isForm, readForm } from './http/bodies/form-parts.ts';
export { type Identify, takeHit, takeHitIfLeft } from './http/plugins/auth.ts';
export { readJson } from './http/plugins/body.ts';
export type { Profile, ProfileOptions } from './http/plugins/profile.ts';
export { callerOf } from './http/plugins/request-state.ts';
export { comprefacePrefix } from './http/plugins/unrouted.ts';
export { routeOf } from './http/routes/mount.ts';
export { countTemplates } from './security/vaults/template-vault.ts';
export { nothingObserved } from './services/activity/activity-recorder.ts';
export type { Caller } from './services/caller.ts';
export type { ServiceDependencies } from './services/dependencies.ts';
export type { EnrolmentService } from './services/enrolment/enrolment.ts';
export { createAdmission } from './services/faces/admission.ts';
export { requireRoom } from './services/faces/face-writer.ts';
export { noPicture } from './services/faces/picture-ids.ts';
export { requireComparable } from './services/galleries/embedding-spec.ts';
export {
  galleryOf,
  ifGone,
  noUser,
  requireMatched,
  userOf,
  withPresentKeys,
} from './services/galleries/lookup.ts';
export { byArea } from './services/pictures/face-fields.ts';
export {
  faceSize,
  mainFace,
  requireFaces,
  requireSize,
  settleBoth,
  templateOf,
} from './services/pictures/main-face.ts';
export {
  createPictures,
  imageField,
  type PictureField,
  type Pictures,
  sourceField,
  targetField,
} from './services/pictures/pictures.ts';
export { galleryScores } from './services/recognition/gallery-scores.ts';
export { createLivenessProof } from './services/recognition/liveness-proof.ts';
export { createThresholds } from './services/recognition/thresholds.ts';
export { galleryForComparison, searchComparable } from './services/template-migration/template-migration.ts';
export type { TokenBinding } from './store/token-store.ts';
