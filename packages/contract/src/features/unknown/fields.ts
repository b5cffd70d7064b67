import { z } from 'zod';
import { resettableCount } from '../../fields.ts';

const hours = { least: 1, most: 720 } as const;

/** Setting of a gallery. */
export const unknownSettings = {
  keep_unknown_hours: resettableCount(
    'Extension: hours for which a face that identify-face does not identify is kept from its first sight on, under an unknown_id; null, the default: none is kept, and those that are kept are erased.',
    hours.least,
    hours.most,
  ),
};

export const unknownSettingsAnswer = {
  keep_unknown_hours: z.int().nullable().meta({
    description:
      'Hours for which faces that are not identified are kept from their first sight on; null: none are.',
  }),
};

/** Of a face that is not identified. */
export const unknownFaceFields = {
  unknown_id: z.string().optional().meta({
    description:
      'Extension: the unknown person of list-unknown; present if the gallery has keep_unknown_hours, and the face is not identified and passes every quality rule. With `faces` it is in each face.',
  }),
};
