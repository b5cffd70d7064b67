import { describe, expect, it } from 'vitest';
import { isOneSitting, type SkinChange } from './stillness.ts';

/** Frames of one film: their skin says it. */
const alike: SkinChange = { correlation: 0.93, unlit: 0.9, shading: 0.08 };
/** Who moved with the phone: another light, which shows another relief of the skin. */
const relit: SkinChange = { correlation: 0.7, unlit: 0.75, shading: 0.3 };
/** A still under a light that a program paints: the relief stays. */
const painted: SkinChange = { ...relit, unlit: 0.9 };

describe('two frontal frames are of one sitting', () => {
  it('where their skin and its shading are alike, whatever the templates say', () => {
    expect(isOneSitting(alike, 0.5, true)).toBe(true);
    expect(isOneSitting({ ...alike, correlation: 0.79 }, 0.5, true)).toBe(false);
    expect(isOneSitting({ ...alike, shading: 0.21 }, 0.5, true)).toBe(false);
  });

  it('where another expression was requested, whatever the shading', () => {
    expect(isOneSitting({ ...alike, shading: 0.3 }, 0.5, false)).toBe(true);
    expect(isOneSitting({ ...alike, correlation: 0.79 }, 0.5, false)).toBe(false);
  });

  it('under a new light, if the face is the same: as alike as in one film', () => {
    expect(isOneSitting(relit, 0.82, true)).toBe(true);
    expect(isOneSitting(relit, 0.74, true)).toBe(false);
  });

  it('not under a light that is painted on: the skin without its light stays', () => {
    expect(isOneSitting(painted, 0.82, true)).toBe(false);
    expect(isOneSitting({ ...relit, unlit: 0.86 }, 0.82, true)).toBe(true);
  });
});
