// What `@wajah/tools` needs to compute templates. The inference library is loaded with it.
export { isEngineError } from './operations/models.ts';
export type { ImportedPerson } from './operations/sealed-import.ts';
export {
  describeFace,
  mainFace,
  requireFaces,
  requireQuality,
  requireSize,
  templateOf,
} from './services/faces/main-face.ts';
export { imageField, imageLimits, refusalOf } from './services/faces/pictures.ts';
export {
  type EngineTemplates,
  embeddingSpecText,
  packName,
  upgradeOf,
} from './services/galleries/embedding-spec.ts';
export { type ReembedResult, reembedFaces } from './services/galleries/reembedding.ts';
