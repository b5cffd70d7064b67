import { describe, expect, it } from 'vitest';
import { drawnFace } from '../test/drawn/drawn-face.ts';
import { sharedPack } from '../test/support/shared-engine.ts';
import { analyze } from './analyze.ts';
import { innerProduct } from './similarity.ts';

const limits = { maxBytes: 10 << 20, maxPixels: 50e6 };

const pack = await sharedPack();

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

describe('a template of one crop', () => {
  const request = { maxFaces: 1, search: 'fast' } as const;

  it('is near that with the mirror image, and the same beside it', async () => {
    const picture = await drawnFace({ width: 640, height: 480, x: 300, y: 240, size: 260, format: 'jpeg' });
    const alone = await analyze(pack.models, picture, { ...request, attributes: ['quickEmbedding'] }, limits);
    const attributes = ['embedding', 'quickEmbedding'] as const;
    const [both] = (await analyze(pack.models, picture, { ...request, attributes }, limits)).faces;
    const quick = alone.faces[0]!.quickEmbedding!;
    expect(innerProduct(quick, both!.quickEmbedding!)).toBeGreaterThan(1 - 1e-6);
    expect(innerProduct(quick, both!.embedding!)).toBeGreaterThan(0.9);
    expect(innerProduct(quick, both!.embedding!)).toBeLessThan(0.9999);
  });

  it('is followed by the whole template of the face that it is of', async () => {
    const picture = await drawnFace({ width: 640, height: 480, x: 300, y: 240, size: 260, format: 'jpeg' });
    const attributes = ['quickEmbedding', 'mouth', 'place'] as const;
    const [first] = (await analyze(pack.models, picture, { ...request, attributes }, limits)).faces;
    const embedding = ['embedding'] as const;
    const again = { ...request, attributes: embedding, known: first!.place };
    const [later] = (await analyze(pack.models, picture, again, limits)).faces;
    const inOne = { ...request, attributes: ['embedding', 'mouth'] as const };
    const [whole] = (await analyze(pack.models, picture, inOne, limits)).faces;
    expect(innerProduct(later!.embedding!, whole!.embedding!)).toBeGreaterThan(1 - 1e-6);
  });
});
