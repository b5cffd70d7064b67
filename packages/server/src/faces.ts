// What `@wajah/tools` needs to compute templates. The inference library is loaded with it.
export { isEngineError } from './operations/models.ts';
export { imageLimits } from './services/faces/pictures.ts';
export {
  embeddingSpecText,
  packName,
  upgradeOf,
} from './services/galleries/embedding-spec.ts';
