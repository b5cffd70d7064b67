import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digest } from '../../src/packs/files.ts';
import type { NetworkManifest, PackDefinition } from '../../src/packs/manifest.ts';

/** Reference models beside the repository; absent in a fresh clone. */
const models = fileURLToPath(new URL('../../../../../shared/models', import.meta.url));

const files = { detector: 'yunet_n_dynamic.onnx', embedder: 'mobilefacenet.onnx' };

/** Whether the files of the reference pack are there; tests that need them are skipped otherwise. */
export function hasReferenceModels(): boolean {
  return Object.values(files).every((file) => existsSync(join(models, file)));
}

/**
 * Writes a folder with a pack `reference`: YuNet finds the faces, MobileFaceNet compares them.
 * @param changes what to change of its description
 */
export function writeReferencePack(folder: string, changes: Partial<PackDefinition> = {}): string {
  mkdirSync(folder, { recursive: true });
  for (const file of Object.values(files)) cpSync(join(models, file), join(folder, file));
  writeFileSync(join(folder, 'pack.json'), JSON.stringify({ ...referencePack(folder), ...changes }));
  return folder;
}

function referencePack(folder: string): PackDefinition {
  const zoo = readFileSync(new URL('../../data/packs/opencv-zoo.json', import.meta.url), 'utf8');
  const { networks, published: _, trainingData: __, cost: ___, ...rest }: PackDefinition = JSON.parse(zoo);
  const withFile = (network: NetworkManifest, file: string): NetworkManifest => {
    const bytes = readFileSync(join(folder, file));
    const url = `https://models.invalid/${file}`;
    return { ...network, file, source: { kind: 'onnx', url, sha256: digest(bytes), bytes: bytes.length } };
  };
  const embedder = withFile(networks.embedder!, files.embedder);
  return {
    ...rest,
    id: 'reference',
    version: '1',
    about: 'YuNet and MobileFaceNet, for comparison.',
    commercial: false,
    embedding: { ...rest.embedding!, embedder: 'mobilefacenet' },
    networks: {
      detector: { ...withFile(networks.detector!, files.detector), input: smaller(networks.detector!) },
      embedder: {
        ...embedder,
        input: { channels: 3, height: 112, width: 112 },
        licence: 'none stated',
        // Mean and deviation of ImageNet, as its authors trained it.
        normalisation: { mean: [123.675, 116.28, 103.53], divisor: [58.395, 57.12, 57.375] },
      },
    },
  };
}

/** This export takes any size; a smaller view is enough for one face. */
function smaller({ input }: NetworkManifest): NetworkManifest['input'] {
  return { ...input, height: 320, width: 320 };
}
