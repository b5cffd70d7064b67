import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../server/test/support/temporary.ts';
import { drawnFace } from '../../test/drawn/drawn-face.ts';
import { cutAfter, serveFile, whole } from '../../test/support/file-server.ts';
import { hasPlusFiles, plusFile, plusFiles, plusFrom } from '../../test/support/plus-pack.ts';
import { faceIn, sharedEngine } from '../../test/support/shared-engine.ts';
import { openEngineInThread } from '../open.ts';
import { innerProduct, parseCurve } from '../similarity.ts';
import type { Engine } from '../types.ts';
import { builtinManifest } from './builtin.ts';
import { definitionOf } from './catalog.ts';
import { preparePack } from './choose.ts';
import { installPack } from './install/install.ts';
import { damagedFiles, installedPack } from './install/installed.ts';
import { parseDefinition } from './manifest.ts';
import { upgradeFrom } from './upgrade.ts';

const image = { maxBytes: 10 << 20, maxPixels: 50e6 };
const attributes = ['embedding', 'quickEmbedding', 'mask'] as const;

describe('the definition of plus', () => {
  it('adds to the templates of this version of the built-in pack', async () => {
    const { adds, embedding } = await definitionOf('plus');
    const builtin = await builtinManifest();
    expect(adds?.to).toBe(builtin.version);
    expect(embedding!.dimensions).toBeGreaterThan(builtin.embedding.dimensions);
    expect(embedding!.dimensions).toBeLessThanOrEqual(320);
  });

  it('names what it adds, and nothing else does', async () => {
    const { adds, ...without } = await definitionOf('plus');
    expect(() => parseDefinition(JSON.stringify(without))).toThrow(/names what it adds/);
    const zoo = { ...(await definitionOf('opencv-zoo')), adds };
    expect(() => parseDefinition(JSON.stringify(zoo))).toThrow(/names what it adds/);
  });
});

describe.skipIf(!hasPlusFiles)('the pack plus', () => {
  const packsDir = join(temporaryDirectory(), 'packs');
  const choice = { id: 'plus', packsDir, acceptNonCommercial: false };
  let engine: Engine;

  beforeAll(async () => {
    await installPack(await definitionOf('plus'), packsDir, { from: plusFiles });
    engine = await openEngineInThread({ image, pack: choice });
  });

  afterAll(() => engine?.close());

  it('is downloaded and resumed', async () => {
    const served = await serveFile(cutAfter(plusFile(), 100_000), whole(plusFile()));
    const other = join(temporaryDirectory(), 'packs');
    const folder = await installPack(plusFrom(served.url), other);
    expect(served.ranges).toEqual([null, expect.stringMatching(/^bytes=\d+-$/)]);
    expect(readdirSync(folder).sort()).toEqual([
      'mobilefacenet-foamliu.onnx',
      'pack.json',
      'similarity-plus.json',
      'template-plus.json',
    ]);
    expect(await damagedFiles(await installedPack(other, 'plus'))).toEqual([]);
  });

  it('is not installed when the file is not the one that it pins', async () => {
    const served = await serveFile(whole(plusFile().fill(32, 400, 500)));
    const other = join(temporaryDirectory(), 'packs');
    await expect(installPack(plusFrom(served.url), other)).rejects.toThrow(/has the SHA-256/);
    expect(existsSync(join(other, 'plus'))).toBe(false);
  });

  it('appends values to templates, whose first ones are those of the built-in pack for one crop', async () => {
    const builtin = await sharedEngine();
    const { dimensions } = engine.embeddingSpec;
    const [ani, budi] = await Promise.all(
      ['ani', 'budi'].map((person) => drawnFace({ person: person as 'ani' })),
    );
    const face = await faceIn(engine, ani!, attributes);
    const own = await faceIn(builtin, ani!, attributes);
    expect([face.embedding, face.quickEmbedding].map((each) => each!.length)).toEqual([
      dimensions,
      dimensions,
    ]);
    expect(face.mask).toEqual(own.mask);
    expect(engine.similarity(face.embedding!, face.embedding!)).toBe(1);
    expect(face.quickEmbedding).toEqual(face.embedding);
    const back = upgradeFrom(builtin, engine.embeddingSpec)!;
    expect(innerProduct(back(face.embedding!), own.quickEmbedding!)).toBeCloseTo(1, 5);
    const other = await faceIn(engine, budi!, attributes);
    expect(innerProduct(face.embedding!, other.embedding!)).toBeLessThan(0.8);
    expect(upgradeFrom(engine, builtin.embeddingSpec)).toBeNull();
  });

  it('claims what this program measured, whichever one installed it', async () => {
    const file = join(packsDir, 'plus/similarity-plus.json');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(before), comparison: undefined }));
    const { curve } = await preparePack(choice);
    expect(curve).toEqual(parseCurve(JSON.parse(before)));
    writeFileSync(file, before);
  });

  it('runs beside the version that it adds to, and no other', async () => {
    const definition = await definitionOf('plus');
    const file = join(packsDir, 'plus/pack.json');
    const before = readFileSync(file);
    writeFileSync(file, JSON.stringify({ ...definition, adds: { ...definition.adds, to: '3' } }));
    await expect(preparePack(choice)).rejects.toThrow(
      /adds to templates of version 3 of the built-in pack, which is version 4/,
    );
    writeFileSync(file, before);
  });
});
