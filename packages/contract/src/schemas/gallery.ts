import { z } from 'zod';
import type { CamelCased } from '../camel-case.ts';
import { name, optionalFlag, optionalName, resettableFraction } from '../fields.ts';
import { envelope } from './answers.ts';

const similarity = z.number().min(0).max(1);

const described = z.object({
  facegallery_id: z.string(),
  n_face: z.int().meta({ description: 'People in it.' }),
  threshold: similarity.nullable().meta({ description: "Its own; null is the server's." }),
  verify_threshold: similarity.meta({ description: 'In force now for one person.' }),
  identify_threshold: similarity.meta({ description: 'In force now for a search, at its present size.' }),
  require_liveness: z.boolean(),
  pack: z
    .string()
    .nullable()
    .meta({ description: 'Model pack and version of its faces; null while it has none.' }),
  comparable: z.boolean().meta({ description: "Whether its faces are of the server's model pack." }),
  created_at: z.string().meta({ description: 'ISO 8601.' }),
});

export const describeGalleriesAnswer = envelope.extend({ facegalleries: z.array(described) });

export const updateGalleryRequest = z
  .object({
    facegallery_id: name('Name of the gallery.'),
    threshold: resettableFraction("Similarity that is needed in this gallery; null for the server's."),
    require_liveness: optionalFlag('Faces get in, and are verified, only with a liveness_token.', false),
    trx_id: optionalName('Identifier of the transaction; made by the server when absent.'),
  })
  .check(({ value, issues }) => {
    if (value.threshold !== undefined || value.require_liveness !== undefined) return;
    const message = 'found nothing, nor require_liveness; send what is to be changed';
    issues.push({ code: 'custom', input: undefined, path: ['threshold'], message });
  });

export const updateGalleryAnswer = envelope.extend(described.shape);

export type UpdateGalleryRequest = CamelCased<z.output<typeof updateGalleryRequest>>;
