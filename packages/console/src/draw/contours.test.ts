import { describe, expect, it } from 'vitest';
import { contours, dotsOf, type MeshPoint, outlineOf } from './contours.ts';

const mesh: MeshPoint[] = Array.from({ length: 468 }, (_, i) => [i, 2 * i, 0]);

describe('contours', () => {
  it('have existing points, each once', () => {
    for (const line of Object.values(contours)) {
      expect(new Set(line).size).toBe(line.length);
      expect(outlineOf(mesh, line).match(/[ML]/g)).toHaveLength(line.length);
    }
  });

  it('are empty without a mesh', () => {
    expect(outlineOf([], contours.oval)).toBe('');
    expect(dotsOf([])).toBe('');
    expect(dotsOf(mesh.slice(1, 3))).toBe('M1.0 2.0h0M2.0 4.0h0');
  });
});
