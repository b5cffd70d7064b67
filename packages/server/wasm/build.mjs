// Makes scan.wasm from scan.wat: `node packages/server/wasm/build.mjs`. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import openWabt from 'wabt';

const source = new URL('scan.wat', import.meta.url);
const features = { simd: true, threads: true };

/** @returns {Promise<Uint8Array>} the module that the checked-in source stands for */
export async function buildScan() {
  const wabt = await openWabt();
  const parsed = wabt.parseWat('scan.wat', readFileSync(source, 'utf8'), features);
  parsed.resolveNames();
  parsed.validate(features);
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  return buffer;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('scan.wasm', import.meta.url), await buildScan());
}
