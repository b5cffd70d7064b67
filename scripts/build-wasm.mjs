// Makes the WebAssembly modules from their sources: `node scripts/build-wasm.mjs`. A test compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import openWabt from 'wabt';

const features = { simd: true, threads: true };

/** Paths in the repository, without `.wat` and `.wasm`. */
export const modules = ['packages/engine/wasm/crop', 'packages/server/wasm/scan'];

/** @returns {URL} */
export function fileOf(name, extension) {
  return new URL(`../${name}.${extension}`, import.meta.url);
}

/** @returns {Promise<Uint8Array>} the module that the checked-in source stands for */
export async function buildModule(name) {
  const wabt = await openWabt();
  const parsed = wabt.parseWat(`${name}.wat`, readFileSync(fileOf(name, 'wat'), 'utf8'), features);
  parsed.resolveNames();
  parsed.validate(features);
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  return buffer;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of modules) writeFileSync(fileOf(name, 'wasm'), await buildModule(name));
}
