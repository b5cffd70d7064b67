// What the package of a profile uses of the server.

export { Refusal } from './errors.ts';
export { foundTwice, textOf } from './http/bodies/form-fields.ts';
export { type FormPart, isForm } from './http/bodies/form-parts.ts';
export { type Identify, settleHit, takeHit, takeHitIfLeft } from './http/plugins/auth.ts';
export { formPartsOf, readJson } from './http/plugins/body.ts';
export type { Profile, ProfileOptions, ProfileParts } from './http/plugins/profile.ts';
export { callerOf } from './http/plugins/request-state.ts';
export { rowsOf, withoutRows } from './http/plugins/rows.ts';
export { comprefacePrefix } from './http/plugins/unrouted.ts';
export { routeOf } from './http/routes/route-of.ts';
export { type Listing, listingOf, pagesOf } from './lib/pages.ts';
export { countTemplates } from './security/vaults/template-vault.ts';
export type { Caller } from './services/caller.ts';
export { differs } from './services/faces/admission.ts';
export { cropOfPicture } from './services/faces/face-pictures.ts';
export { requireRoom } from './services/faces/face-writer.ts';
export {
  byArea,
  faceSize,
  isUnclear,
  mainFace,
  requireClear,
  requireFaces,
  requireSize,
  settleBoth,
  templateOf,
} from './services/faces/main-face.ts';
export { noPicture } from './services/faces/picture-ids.ts';
export { imageField, sourceField, targetField } from './services/faces/pictures.ts';
export type { ComparedFace, FaceService, PictureField, Pictures } from './services/faces/ports.ts';
export {
  galleryOf,
  ifGone,
  keepsCrops,
  noUser,
} from './services/galleries/lookup.ts';
export { createFaceSearch } from './services/recognition/identification.ts';
export type { Candidate } from './services/recognition/ports.ts';
export type { CompatibleService } from './store/ports/tokens.ts';
