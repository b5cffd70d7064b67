import { EnrolError, type Gallery, isWajahError, WajahError } from '@wajah/client';
import { endpoints, maxImagePixels as maxPixels, parseRequest } from '@wajah/contract';
import type { Terminal } from '@wajah/server/commands';
import type { PictureLimits } from './source.ts';

/**
 * The gallery of a dry run: fields and pictures are checked as the server does it before it looks for a face, and nothing
 * is sent. A gallery that does not exist yet is empty.
 */
export function withoutWriting(
  gallery: Gallery,
  { terminal, maxBytes }: PictureLimits & { readonly terminal: Pick<Terminal, 'note'> },
): Gallery {
  const { facegallery_id } = gallery;
  return {
    ...gallery,
    async *people(options) {
      try {
        yield* gallery.people(options);
      } catch (error) {
        if (!isWajahError(error) || error.code !== 'galleryNotFound') throw error;
        terminal.note(
          `There is no gallery ${JSON.stringify(facegallery_id)} yet; --create-gallery creates it.`,
        );
      }
    },
    async enrol({ image, ...person }) {
      const parsed = parseRequest(endpoints.enrolFace.request, { ...person, facegallery_id, image: 'AA==' });
      if (!parsed.ok) throw new WajahError('400', { detail: parsed.detail });
      // Loaded when it is needed: other imports decode no picture.
      const { decodeImage } = await import('@wajah/engine/decode');
      try {
        await decodeImage(image as Uint8Array, { maxBytes, maxPixels }, undefined, 0);
      } catch (error) {
        const sentence = (error as Error).message.replace(/\.$/, '');
        throw new EnrolError('unreadable', `image: ${sentence}`, { cause: error });
      }
      return { status: '200', status_message: '', trx_id: '' };
    },
  };
}
