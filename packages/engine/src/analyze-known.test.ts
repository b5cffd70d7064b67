import { afterAll, beforeAll, expect, it } from 'vitest';
import { drawnFace } from '../test/drawn/drawn-face.ts';
import { modelCache } from '../test/support/shared-engine.ts';
import { analyze } from './analyze.ts';
import { openBuiltinPack } from './packs/builtin.ts';
import type { OpenPack } from './packs/pack.ts';

const limits = { maxBytes: 10 << 20, maxPixels: 50e6 };

let pack: OpenPack;
beforeAll(async () => {
  pack = await openBuiltinPack(modelCache);
});
afterAll(() => pack.close());

it('a known face is measured as in one call, without another search', async () => {
  const picture = await drawnFace({ width: 640, height: 480, x: 300, y: 240, size: 260, format: 'jpeg' });
  const request = { maxFaces: 1, search: 'fast' } as const;
  const details = ['spoof', 'eyes', 'gaze', 'mesh'] as const;
  const whole = await analyze(pack.models, picture, { ...request, attributes: details }, limits);
  const first = await analyze(pack.models, picture, { ...request, attributes: ['place', 'mouth'] }, limits);
  const known = first.faces[0]!.place;
  const later = await analyze(pack.models, picture, { ...request, attributes: details, known }, limits);
  expect(later.stages).not.toHaveProperty('detector');
  expect(later).toMatchObject({ found: 1, boxes: whole.boxes });
  const [one, other] = [whole.faces[0]!, later.faces[0]!];
  expect(other.eyes!.left.state).toBe(one.eyes!.left.state);
  expect(other.gaze).toBeCloseTo(one.gaze!, 3);
  expect(other.spoof!.score).toBeCloseTo(one.spoof!.score, 4);
  const apart = one.mesh!.map((value, i) => Math.abs(value - other.mesh![i]!));
  expect(Math.max(...apart)).toBeLessThan(0.01);
});
