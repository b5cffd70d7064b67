import { phrase } from '@wajah/contract/refusals';
import type { Analysis, Face, QualityRule } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { describeFace, faceSize, mainFace, requireQuality, requireSize } from './main-face.ts';

const theFace = { field: 'image', face: phrase('theFace') };
const origin = { x: 0, y: 0 };

function face(width: number, height: number, quality: QualityRule[] = []): Face {
  const landmarks = [origin, origin, origin, origin, origin] as const;
  return { box: { ...origin, width, height }, score: 1, meshScore: 1, landmarks, quality };
}

function analysis(faces: Face[], found = faces.length): Analysis {
  const boxes = faces.map(({ box }) => box);
  return { image: { width: 640, height: 480, format: 'jpeg' }, faces, boxes, found, stages: {} };
}

const dark: QualityRule = {
  name: 'brightness',
  value: 31.23456,
  limit: 40,
  unit: 'grey levels',
  passed: false,
  reason: 'the face is too dark: turn on a light',
};
const small: QualityRule = { ...dark, name: 'size', value: 60, limit: 80, unit: 'px', reason: 'too small' };

describe('the main face', () => {
  it('is the first one', () => {
    const [first, second] = [face(200, 200), face(100, 100)];
    expect(mainFace(analysis([first, second]), 'image')).toBe(first);
  });

  it('is refused by field when there is none', () => {
    expect(() => mainFace(analysis([]), 'source_image')).toThrow(
      expect.objectContaining({
        status: 'faceNotDetected',
        detail: expect.stringContaining('source_image: no face was found in the picture of 640x480 px'),
      }),
    );
  });
});

describe('the minimum size', () => {
  it('applies to the shorter side', () => {
    expect([faceSize(face(80, 120)), faceSize(face(120, 80))]).toEqual([80, 80]);
  });

  it('is inclusive', () => {
    expect(() => requireSize(face(100, 130), theFace, 100)).not.toThrow();
  });

  it('is reported with the measured size, rounded down, and the number of faces', () => {
    const what = describeFace(analysis([face(99.9, 130)], 3), 'image');
    expect(() => requireSize(face(99.9, 130), what, 100, phrase('orForceRegister'))).toThrow(
      expect.objectContaining({
        status: 'faceTooSmall',
        detail:
          'image: the face (the largest of 3) is 99 px, the minimum is 100 px (shorter side of its box); come closer or send a larger picture, or send force_register: true',
      }),
    );
  });
});

describe('quality', () => {
  it('lists each failed rule with value and limit', () => {
    const found = analysis([face(200, 200, [small, { ...dark, name: 'contrast', passed: true }, dark])]);
    expect(() => requireQuality(found.faces[0]!, theFace)).toThrow(
      expect.objectContaining({
        status: 'qualityTooLow',
        detail:
          'image: the face fails 2 of the quality rules: size 60 (limit 80 px): too small; brightness 31.23 (limit 40 grey levels): the face is too dark: turn on a light',
      }),
    );
  });

  it('passes when the failed rules are waived', () => {
    const found = analysis([face(60, 60, [small])]);
    expect(() => requireQuality(found.faces[0]!, theFace, ['size'])).not.toThrow();
  });
});
