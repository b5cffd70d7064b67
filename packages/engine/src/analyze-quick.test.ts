import { describe, expect, it } from 'vitest';
import { drawnFace } from '../test/drawn/drawn-face.ts';
import { sharedPack } from '../test/support/shared-engine.ts';
import { analyze } from './analyze.ts';
import { innerProduct } from './similarity.ts';

const limits = { maxBytes: 10 << 20, maxPixels: 50e6 };

const pack = await sharedPack();

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
});
