import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../server/test/support/temporary.ts';
import {
  createCache,
  digest,
  fileDigest,
  isIntact,
  type PinnedFile,
  verifiedFile,
  writeWhole,
} from './files.ts';

const files = { 'a.onnx': new Uint8Array([1, 2, 3]), 'b.onnx': new Uint8Array(100_000).fill(7) };
const pinned = Object.entries(files).map(([file, bytes]) => ({ file, source: { sha256: digest(bytes) } }));
const [, second] = pinned as [PinnedFile, PinnedFile];

let folder: string;
beforeEach(async () => {
  folder = join(temporaryDirectory(), 'pack');
});

async function writeAll(): Promise<void> {
  await createCache(folder);
  for (const [name, bytes] of Object.entries(files)) await writeWhole(folder, name, bytes);
}

describe('the model cache', () => {
  it('returns the stored file', async () => {
    await writeAll();
    expect(await isIntact(folder, pinned)).toBe(true);
    const path = await verifiedFile(folder, second);
    expect(new Uint8Array(await readFile(path))).toEqual(files['b.onnx']);
    expect(await fileDigest(path)).toBe(second.source.sha256);
  });

  it('counts as empty before it was filled, and when a file is damaged, cut off or gone', async () => {
    expect(await isIntact(folder, pinned)).toBe(false);
    const damage = [
      (path: string) => writeFile(path, Buffer.alloc(100_000, 8)),
      (path: string) => truncate(path, 99_999),
      (path: string) => rm(path),
    ];
    for (const harm of damage) {
      await writeAll();
      await harm(join(folder, 'b.onnx'));
      expect(await isIntact(folder, pinned)).toBe(false);
      await expect(verifiedFile(folder, second)).rejects.toMatchObject({ code: 'pack' });
    }
  });

  it('survives several writers at once and leaves no temporary files', async () => {
    await Promise.all(Array.from({ length: 8 }, writeAll));
    expect(await isIntact(folder, pinned)).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(['a.onnx', 'b.onnx']);
  });

  it('reports a folder that cannot be written', async () => {
    await writeAll();
    const blocked = join(folder, 'a.onnx', 'below-a-file');
    const refusal = { code: 'pack', message: expect.stringContaining('ENOTDIR') };
    await expect(createCache(blocked)).rejects.toMatchObject(refusal);
    // Without endless attempts.
    const nowhere = { code: 'pack', message: expect.stringContaining('ENOENT') };
    await expect(createCache('/proc/nocache/deep')).rejects.toMatchObject(nowhere);
    await expect(writeWhole(blocked, 'c.onnx', files['a.onnx'])).rejects.toMatchObject(refusal);
    expect(await readFile(join(folder, 'a.onnx'))).toEqual(Buffer.from([1, 2, 3]));
  });
});
