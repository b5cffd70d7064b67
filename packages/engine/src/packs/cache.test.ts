import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileDigest, readCache, verifiedFile, writeCache } from './cache.ts';

const files = { 'a.onnx': new Uint8Array([1, 2, 3]), 'b.onnx': new Uint8Array(100_000).fill(7) };
const names = Object.keys(files);
let folder: string;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'wajah-cache-')), 'pack');
});

afterEach(async () => {
  await rm(join(folder, '..'), { recursive: true });
});

describe('the model cache', () => {
  it('returns the stored file', async () => {
    const index = await writeCache(folder, files);
    expect(await readCache(folder, names)).toEqual(index);
    const path = await verifiedFile(folder, 'b.onnx', index);
    expect(new Uint8Array(await readFile(path))).toEqual(files['b.onnx']);
    expect(await fileDigest(path)).toBe(index['b.onnx']);
  });

  it('is empty before it was filled', async () => {
    expect(await readCache(folder, names)).toBeNull();
  });

  it('counts as empty when a file is damaged, cut off or gone', async () => {
    const damage = [
      (path: string) => writeFile(path, Buffer.alloc(100_000, 8)),
      (path: string) => truncate(path, 99_999),
      (path: string) => rm(path),
    ];
    for (const harm of damage) {
      const index = await writeCache(folder, files);
      await harm(join(folder, 'b.onnx'));
      expect(await readCache(folder, names)).toBeNull();
      await expect(verifiedFile(folder, 'b.onnx', index)).rejects.toMatchObject({ code: 'pack' });
    }
  });

  it('counts as empty when the index was not written or is cut off', async () => {
    await writeCache(folder, files);
    await truncate(join(folder, 'index.json'), 10);
    expect(await readCache(folder, names)).toBeNull();
  });

  it('survives several writers at once and leaves no temporary files', async () => {
    await Promise.all(Array.from({ length: 8 }, () => writeCache(folder, files)));
    expect(await readCache(folder, names)).not.toBeNull();
    expect((await readdir(folder)).sort()).toEqual(['a.onnx', 'b.onnx', 'index.json']);
  });

  it('reports a folder that cannot be written', async () => {
    await writeCache(folder, files);
    const blocked = join(folder, 'a.onnx', 'below-a-file');
    await expect(writeCache(blocked, files)).rejects.toMatchObject({
      code: 'pack',
      message: expect.stringContaining('ENOTDIR'),
    });
    expect(await readFile(join(folder, 'a.onnx'))).toEqual(Buffer.from([1, 2, 3]));
  });
});
