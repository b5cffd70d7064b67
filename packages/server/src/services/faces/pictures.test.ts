import { EngineError } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../errors.ts';
import { cardField, decode, imageField, refusalOf, sourceField, targetField } from './pictures.ts';

const limit = 1000;

function refusal(action: () => unknown): Refusal {
  try {
    action();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the text of a picture field', () => {
  it.each([
    [imageField, 'imageBase64'],
    [cardField, 'imageBase64'],
    [targetField, 'targetImageBase64'],
    [sourceField, 'sourceImageBase64'],
  ])('$name that is not base64 is $1', (field, status) => {
    const { status: found, detail } = refusal(() => decode(field, 'AAAA*AAA', limit));
    expect(found).toBe(status);
    expect(detail).toContain(`${field.name}: the character "*" (U+002A) at position 4`);
  });

  it.each([
    [imageField, 'imageNull'],
    [targetField, 'targetImageNull'],
    [sourceField, 'sourceImageNull'],
  ])('$name without a picture is $1', (field, status) => {
    for (const text of ['', '  \n', 'data:image/png;base64,']) {
      expect(refusal(() => decode(field, text, limit)).status).toBe(status);
    }
  });

  it('over the byte limit is an image error with size and limit', () => {
    const text = Buffer.alloc(limit + 1).toString('base64');
    const { status, detail } = refusal(() => decode(sourceField, text, limit));
    expect(status).toBe('imageBroken');
    expect(detail).toContain('source_image: the picture is 1001 bytes, at most 1000 are allowed');
    expect(decode(sourceField, Buffer.alloc(limit).toString('base64'), limit)).toHaveLength(limit);
  });

  it('is never quoted in a detail', () => {
    const secret = Buffer.from('a picture of a face').toString('base64');
    expect(refusal(() => decode(imageField, `${secret}!`, limit)).detail).not.toContain(secret.slice(0, 6));
  });
});

describe('an error of the engine', () => {
  const said = (code: EngineError['code'], field = imageField) =>
    refusalOf(new EngineError(code, 'these bytes are a WebP'), field);

  it.each([
    [imageField, 'imageType'],
    [cardField, 'imageType'],
    [targetField, 'imageType'],
    [sourceField, 'sourceImageType'],
  ])('about the type of $name is $1', (field, status) => {
    expect(said('imageType', field)).toMatchObject({
      status,
      detail: `${field.name}: these bytes are a WebP`,
    });
  });

  it('about a broken picture is 493, whatever the field', () => {
    for (const field of [imageField, cardField, targetField, sourceField]) {
      expect(said('imageBroken', field)).toMatchObject({ status: 'imageBroken' });
    }
  });

  it('about load is busy', () => {
    for (const code of ['busy', 'deadline', 'closed', 'killed'] as const) {
      expect(said(code)).toMatchObject({ status: 'busy' });
    }
  });

  it('about a disconnected caller, a broken pack or anything else is unchanged', () => {
    for (const code of ['aborted', 'crashed', 'pack'] as const)
      expect(said(code)).toBeInstanceOf(EngineError);
    const defect = new TypeError('a defect');
    expect(refusalOf(defect, imageField)).toBe(defect);
  });
});
