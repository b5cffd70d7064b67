/** Fields that features add to requests and answers of the core. */
import { unknownFaceFields, unknownSettings, unknownSettingsAnswer } from './unknown/fields.ts';

/** Settings of a gallery: numbers, or null. */
export const featureGallerySettings = { ...unknownSettings };
export const featureGalleryAnswer = { ...unknownSettingsAnswer };
/** Of galleries in examples. */
export const featureGalleryExample = { keep_unknown_hours: null };

/** Of a face that is not identified. */
export const featureFaceFields = { ...unknownFaceFields };
