import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PackDefinition } from '../../src/packs/manifest.ts';

/** Folder of the file of the pack `plus`, which is no part of the repository. */
export const plusFiles: string = fileURLToPath(new URL('../../../../../shared/models', import.meta.url));

const file = `${plusFiles}/foamliu-mobilefacenet.onnx`;

/** Whether it is there; tests that need it are skipped otherwise. */
export const hasPlusFiles: boolean = existsSync(file);

/** Its content. */
export const plusFile = (): Uint8Array => readFileSync(file);

/** The definition of `plus` with another address of its file. */
export function plusFrom(url: string): PackDefinition {
  const text = readFileSync(new URL('../../data/packs/plus.json', import.meta.url), 'utf8');
  const definition: PackDefinition = JSON.parse(text);
  const network = definition.networks['second-embedder']!;
  const source = { ...network.source, url } as typeof network.source;
  return { ...definition, networks: { 'second-embedder': { ...network, source } } };
}
