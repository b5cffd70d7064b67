// Makes scan.wasm from scan.wat, and frames.wasm from frames.wat: `node packages/server/wasm/build.mjs`. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import openWabt from 'wabt';

const features = { simd: true, threads: true };

/**
 * @param {'scan' | 'frames'} name
 * @returns {Promise<Uint8Array>} the module that the checked-in source stands for
 */
export async function buildModule(name) {
  const wabt = await openWabt();
  const parsed = wabt.parseWat(
    `${name}.wat`,
    readFileSync(new URL(`${name}.wat`, import.meta.url), 'utf8'),
    features,
  );
  parsed.resolveNames();
  parsed.validate(features);
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  return buffer;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of ['scan', 'frames']) {
    writeFileSync(new URL(`${name}.wasm`, import.meta.url), await buildModule(name));
  }
}
