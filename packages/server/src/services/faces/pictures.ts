import { maxImagePixels, type Picture, statuses, UndecodedPicture } from '@wajah/contract';
import { EngineError, type ImageLimits } from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import { readBase64 } from '../../lib/base64.ts';
import { mapBounded } from '../../lib/keyed-queue.ts';
import { epochMs } from '../caller.ts';
import type { ServiceParts } from '../parts.ts';
import type { PictureError, PictureField, Pictures } from './ports.ts';

export const imageField: PictureField = { kind: 'image', name: 'image' };
export const cardField: PictureField = { kind: 'ktp_image', name: 'ktp_image' };
export const targetField: PictureField = { kind: 'target_image', name: 'target_image' };
export const sourceField: PictureField = { kind: 'source_image', name: 'source_image' };

/** Codes of the refusals that differ by field. */
const image = { empty: 'imageEmpty', base64: 'imageBase64', type: 'imageType' } as const;
const targetImage = { empty: 'targetImageEmpty', base64: 'targetImageBase64', type: 'imageType' } as const;
const sourceImage = {
  empty: 'sourceImageEmpty',
  base64: 'sourceImageBase64',
  type: 'sourceImageType',
} as const;

const codesOf = { image, ktp_image: image, target_image: targetImage, source_image: sourceImage } as const;

/** Decodes the picture fields of a request and has the engine analyse them in turn; its errors become refusals. */
export function createPictures({
  engine,
  scheduler,
  config: { limits },
}: ServiceParts<'engine' | 'scheduler' | 'config'>): Pictures {
  // What the quality rules call large enough can be enrolled.
  const minFaceSize = limits.minFaceEnrol;
  return {
    decode: (field, picture) => decode(field, picture, limits.imageBytes),

    map: (items, task) => mapBounded(items, engine.load().workers, task),

    async analyze(field, bytes, request, caller) {
      try {
        const askedAt = epochMs();
        return await scheduler.run(caller, async (remaining) => {
          const beganAt = epochMs();
          const options = { deadline: Date.now() + remaining };
          const analysis = await engine.analyze(bytes, { ...request, minFaceSize }, options);
          caller.trace?.analysed({ askedAt, beganAt, endedAt: epochMs(), stages: analysis.stages });
          return analysis;
        });
      } catch (error) {
        throw refusalOf(error, field);
      }
    },
  };
}

/** @param limit decoded bytes @throws Refusal as `Pictures.decode` */
export function decode(field: PictureField, picture: Picture, limit: number): Uint8Array {
  const { empty, base64 } = codesOf[field.kind];
  const read = readPicture(picture, limit);
  if ('tooLarge' in read) {
    throw new Refusal('pictureTooLarge', { field: field.name, bytes: read.tooLarge, most: limit });
  }
  if ('problem' in read) throw new Refusal(base64, { field: field.name, problem: read.problem });
  if (read.bytes.length === 0) throw new Refusal(empty, { field: field.name });
  return read.bytes;
}

function readPicture(picture: Picture, limit: number) {
  if (typeof picture === 'string') return readBase64(picture, limit);
  if (picture instanceof UndecodedPicture) return picture.why;
  return picture.length > limit ? { tooLarge: picture.length } : { bytes: picture };
}

/** @throws the error itself when it is not about the picture */
export function pictureError(error: unknown): PictureError {
  if (!(error instanceof Refusal) || error.status === 'busy') throw error;
  const { status, message } = statuses[error.status];
  return { status, status_message: message, detail: error.detail };
}

/** The refusal of an engine error; any other error is returned unchanged. */
export function refusalOf(error: unknown, field: PictureField): unknown {
  if (!(error instanceof EngineError)) return error;
  const reason = error.message.replace(/\.$/, '');
  switch (error.code) {
    case 'imageType':
      return new Refusal(codesOf[field.kind].type, { field: field.name, reason });
    case 'imageBroken':
      return new Refusal('imageBroken', { field: field.name, reason });
    case 'busy':
    case 'deadline':
    case 'closed':
    case 'killed':
      return new Refusal('serverBusy', { reason });
    default:
      return error;
  }
}

/**
 * Time of a worker that one look at a picture may take, milliseconds. Below the deadline of a call, so that a picture that
 * is too expensive is refused for that, and is not sent again.
 */
const maxImageMs = 8000;

/** The limits of pictures as the engine takes them. */
export function imageLimits(limits: Config['limits']): ImageLimits {
  return {
    maxBytes: limits.imageBytes,
    // By the header: a picture of as many fits into the memory of a worker.
    maxPixels: maxImagePixels,
    maxMs: maxImageMs,
  };
}
