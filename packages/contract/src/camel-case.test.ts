import { describe, expect, expectTypeOf, it } from 'vitest';
import { type CamelCased, camelCased } from './parse.ts';

describe('camelCased', () => {
  it('converts field names at any depth, in lists too', () => {
    const given = {
      facegallery_id: 'a',
      top_k: 1,
      image: 'b',
      face_parameters: { spoof_detection: true },
      batch: [{ face_parameter: 'face left' }, { face_parameter: 'face up' }],
    };
    expect(camelCased(given)).toEqual({
      facegalleryId: 'a',
      topK: 1,
      image: 'b',
      faceParameters: { spoofDetection: true },
      batch: [{ faceParameter: 'face left' }, { faceParameter: 'face up' }],
    });
  });

  it('leaves values as they are', () => {
    const given = { a_b: 'c_d', e_f: ['g_h'], i_j: null, k_l: undefined, m_n: 0.5, o_p: false };
    expect(camelCased(given)).toStrictEqual({
      aB: 'c_d',
      eF: ['g_h'],
      iJ: null,
      kL: undefined,
      mN: 0.5,
      oP: false,
    });
    for (const value of ['a_b', 1, null, undefined, true]) expect(camelCased(value)).toBe(value);
  });

  it('has the type of what it returns', () => {
    interface Wire {
      facegallery_id: string;
      expires_in_days?: number | undefined;
      batch: { face_parameter: 'face_left' }[];
      threshold: number | null | undefined;
    }
    interface Code {
      facegalleryId: string;
      expiresInDays?: number | undefined;
      batch: { faceParameter: 'face_left' }[];
      threshold: number | null | undefined;
    }
    expectTypeOf<CamelCased<Wire>>().toEqualTypeOf<Code>();
    expectTypeOf(camelCased({ n_face: 1 }).nFace).toEqualTypeOf<number>();
  });
});
