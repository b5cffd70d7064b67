import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { atEnd, temporaryDirectory } from '../../server/test/support/temporary.ts';
import { openEngine, openEngineInThread } from '../src/open.ts';
import { definitionOf } from '../src/packs/catalog.ts';
import { installPack } from '../src/packs/install/install.ts';
import { innerProduct } from '../src/similarity.ts';
import { openPack } from '../src/training.ts';
import type { Engine } from '../src/types.ts';
import { drawnFace, drawnPicture } from './drawn/drawn-face.ts';
import { hasReferenceModels, writeReferencePack } from './support/reference-pack.ts';

const image = { maxBytes: 10 << 20, maxPixels: 50e6 };
const curve = {
  pack: 'reference',
  evidence: {},
  knots: [
    [-0.2, 0],
    [0.3, -2],
    [0.6, -6],
  ] as [number, number][],
};

describe.skipIf(!hasReferenceModels())('a pack of YuNet and MobileFaceNet', () => {
  let folder: string;
  let choice: { id: string; packsDir: string; acceptNonCommercial: boolean };
  let engine: Engine;

  beforeAll(async () => {
    folder = temporaryDirectory();
    choice = { id: 'reference', packsDir: join(folder, 'packs'), acceptNonCommercial: true };
    const from = writeReferencePack(join(folder, 'files'));
    await installPack(await definitionOf('reference', from), choice.packsDir, { from });
    const { embeddingSpec: contract, close } = await openPack(choice);
    await close();
    engine = await openEngineInThread({ image, pack: choice, calibration: { contract, curve } });
    atEnd(() => engine.close());
  });

  const templateOf = async (picture: Promise<Buffer>) => {
    const request = { attributes: ['embedding'], maxFaces: 1, search: 'fast' } as const;
    const { faces } = await engine.analyze(await picture, request);
    return faces[0]!.embedding!;
  };

  it('detects faces and distinguishes people', async () => {
    const ani = await templateOf(drawnFace({ person: 'ani' }));
    expect(ani).toHaveLength(128);
    expect(innerProduct(ani, ani)).toBeCloseTo(1, 5);
    const again = await templateOf(drawnFace({ person: 'ani', tilt: 8, brightness: 0.85 }));
    const budi = await templateOf(drawnFace({ person: 'budi' }));
    expect(innerProduct(ani, again)).toBeGreaterThan(innerProduct(ani, budi) + 0.1);
  });

  it('has the built-in mesh, eyes, mouth, mask, spoof and quality beside it', async () => {
    const attributes = ['pose', 'eyes', 'mouth', 'mask', 'spoof', 'quality'] as const;
    const picture = await drawnFace({ person: 'ani', leftEye: 'closed', rightEye: 'closed' });
    const { faces } = await engine.analyze(picture, { attributes, maxFaces: 1, search: 'fast' });
    expect(faces[0]).toMatchObject({ eyes: { left: { state: 'closed' }, right: { state: 'closed' } } });
    expect(Object.keys(faces[0]!)).toEqual(expect.arrayContaining([...attributes]));
  });

  it('detects several faces and turned pictures, and nothing in an empty picture', async () => {
    const faces = [
      { person: 'budi', x: 560, y: 200, size: 180 },
      { person: 'ani', x: 260, y: 300, size: 380 },
    ] as const;
    const request = { attributes: [], maxFaces: 5, search: 'thorough' } as const;
    const two = await engine.analyze(await drawnPicture({ width: 720, height: 640, faces }), request);
    expect(two.found).toBe(2);
    const lying = await engine.analyze(await drawnFace({ tilt: 90 }), { ...request, search: 'fast' });
    expect(lying.found).toBe(1);
    const empty = await drawnPicture({ width: 300, height: 300, faces: [] });
    expect((await engine.analyze(empty, request)).found).toBe(0);
  });

  it('runs in worker processes', async () => {
    const calibration = { contract: engine.embeddingSpec, curve };
    const pool = await openEngine({
      image,
      pack: choice,
      calibration,
      workers: 1,
      queue: 4,
      deadlineMs: 60_000,
    });
    try {
      expect(pool.embeddingSpec).toMatchObject({ pack: 'reference', embedder: 'mobilefacenet' });
      const picture = await drawnFace({ person: 'ani' });
      const request = { attributes: ['embedding'], maxFaces: 1, search: 'fast' } as const;
      const { faces } = await pool.analyze(picture, request);
      expect(pool.similarity(faces[0]!.embedding!, await templateOf(drawnFace({ person: 'ani' })))).toBe(1);
    } finally {
      await pool.close();
    }
  });

  it('is refused without a curve, without acknowledgement, when it is not there, and when it is damaged', async () => {
    await expect(openEngineInThread({ image, pack: choice })).rejects.toThrow(
      /reference brings neither a calibration curve nor published operating points.*wajah calibrate/,
    );
    const asked = { ...choice, acceptNonCommercial: false };
    await expect(openPack(asked)).rejects.toThrow(/WAJAH_ACCEPT_NONCOMMERCIAL/);
    await expect(openPack({ ...choice, id: 'other' })).rejects.toThrow(
      /other is not installed: wajah models pull other/,
    );
    const file = join(choice.packsDir, 'reference', 'mobilefacenet.onnx');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.length / 2));
    await expect(openPack(choice)).rejects.toThrow(/damaged \(mobilefacenet\.onnx\)/);
    writeFileSync(file, bytes);
  });

  it('does not take the calibration of another pack', async () => {
    const calibration = { contract: { ...engine.embeddingSpec, version: '0' }, curve };
    await expect(openEngineInThread({ image, pack: choice, calibration })).rejects.toThrow(/neither a calib/);
  });

  it('starts with a provisional calibration from published operating points', async () => {
    const packsDir = join(folder, 'published');
    const published = { source: 'a demo', points: [{ product: 0.4, fmr: 1e-3 }] };
    const from = writeReferencePack(join(folder, 'with-points'), { published });
    await installPack(await definitionOf('reference', from), packsDir, { from });
    const provisional = await openEngineInThread({ image, pack: { ...choice, packsDir } });
    expect(provisional).toMatchObject({ provisional: true, cohortCurve: { mean: 0 } });
    expect(provisional.similarityOf(0.4)).toBeCloseTo(0.625, 4);
    expect(engine.provisional).toBe(false);
    await provisional.close();
  });
});
