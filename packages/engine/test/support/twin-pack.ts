import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareBuiltinPack } from '../../src/packs/builtin.ts';
import { digest } from '../../src/packs/files.ts';
import type { PackDefinition } from '../../src/packs/manifest.ts';

/**
 * Writes a folder with a pack `twin`: the built-in embedder alone, under another name. So there are two packs with
 * templates of different lengths wherever the program is.
 */
export async function writeTwinPack(folder: string, version = '1'): Promise<string> {
  const { manifest, folder: made } = await prepareBuiltinPack();
  const { embedder } = manifest.networks;
  mkdirSync(folder, { recursive: true });
  cpSync(join(made, embedder.file), join(folder, embedder.file));
  const bytes = readFileSync(join(folder, embedder.file));
  const url = `https://models.invalid/${embedder.file}`;
  const definition: PackDefinition = {
    format: 1,
    id: 'twin',
    version,
    about: 'The built-in embedder by itself, for tests.',
    commercial: true,
    threshold: 0.7,
    curve: 'curve.json',
    embedding: { embedder: 'twin', alignment: 'twin', dimensions: 128, normalisation: 'l2' },
    networks: {
      embedder: {
        ...embedder,
        source: { kind: 'onnx', url, sha256: digest(bytes), bytes: bytes.length },
        outputs: { descriptor: { shape: [192], node: 'descriptor' } },
      },
    },
  };
  writeFileSync(join(folder, 'pack.json'), JSON.stringify(definition));
  // Its similarities of drawn people are higher than those of photographed ones.
  const knots = [
    [0.88, 0],
    [0.98, -6],
  ];
  writeFileSync(join(folder, 'curve.json'), JSON.stringify({ pack: 'twin', evidence: {}, knots }));
  return folder;
}
