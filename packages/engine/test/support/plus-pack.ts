import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PackDefinition } from '../../src/packs/manifest.ts';

/** Folder of the files of the pack `plus`, which are no part of the repository. */
export const plusFiles: string = fileURLToPath(new URL('../../../../../shared/models', import.meta.url));

const name = 'face-reidentification-retail-0095';

/** Whether they are there; tests that need them are skipped otherwise. */
export function hasPlusFiles(): boolean {
  return ['xml', 'bin'].every((ending) => existsSync(`${plusFiles}/${name}.${ending}`));
}

/** The definition of `plus` with other addresses: `url` with the ending of each file. */
export function plusFrom(url: string): PackDefinition {
  const text = readFileSync(new URL('../../data/packs/plus.json', import.meta.url), 'utf8');
  const definition: PackDefinition = JSON.parse(text);
  const network = definition.networks['second-embedder']!;
  if (network.source.kind !== 'openvino') throw new Error('plus is not made of files of OpenVINO');
  const { topology, weights } = network.source;
  const source = {
    ...network.source,
    topology: { ...topology, url: `${url}.xml` },
    weights: { ...weights, url: `${url}.bin` },
  };
  return { ...definition, networks: { 'second-embedder': { ...network, source } } };
}

/** A file of the pack by the address that `plusFrom` gives it. */
export const plusFile = (url: string): Uint8Array =>
  readFileSync(`${plusFiles}/${name}.${url.endsWith('.xml') ? 'xml' : 'bin'}`);
