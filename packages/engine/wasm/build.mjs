// Makes crop.wasm from crop.wat: `node packages/engine/wasm/build.mjs`. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import openWabt from 'wabt';

const features = { simd: true };

/** @returns {Promise<Uint8Array>} the module that the checked-in source stands for */
export async function buildCrop() {
  const wabt = await openWabt();
  const source = readFileSync(new URL('crop.wat', import.meta.url), 'utf8');
  const parsed = wabt.parseWat('crop.wat', source, features);
  parsed.resolveNames();
  parsed.validate(features);
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  return buffer;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('crop.wasm', import.meta.url), await buildCrop());
}
