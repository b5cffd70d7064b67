import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../server/test/support/temporary.ts';
import { digest, verifiedFile } from './files.ts';

it.each<[kind: string, damage: (path: string) => Promise<void>, found: RegExp]>([
  ['other bytes', (path) => writeFile(path, Buffer.alloc(100_000, 8)), /b\.onnx is damaged/],
  ['a cut', (path) => truncate(path, 99_999), /b\.onnx is damaged/],
  ['its absence', (path) => rm(path), /b\.onnx cannot be read \(ENOENT\)/],
])('a file is verified by its digest, and refused for %s', async (_, damage, message) => {
  const bytes = Buffer.alloc(100_000, 7);
  const [folder, file] = [temporaryDirectory(), { file: 'b.onnx', source: { sha256: digest(bytes) } }];
  await writeFile(join(folder, file.file), bytes);
  const path = await verifiedFile(folder, file);
  expect(path).toBe(join(folder, 'b.onnx'));
  await damage(path);
  await expect(verifiedFile(folder, file)).rejects.toMatchObject({
    code: 'pack',
    message: expect.stringMatching(message),
  });
});
