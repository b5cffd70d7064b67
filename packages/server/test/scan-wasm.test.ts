import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildScan } from '../wasm/build.mjs';

it('the checked-in scan.wasm equals what its source compiles to', async () => {
  const checkedIn = readFileSync(new URL('../wasm/scan.wasm', import.meta.url));
  expect(Buffer.compare(checkedIn, Buffer.from(await buildScan()))).toBe(0);
});
