import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildScan } from '../wasm/build.mjs';

it('the checked-in scan.wasm equals its compiled source', async () => {
  const checkedIn = readFileSync(new URL('../wasm/scan.wasm', import.meta.url));
  expect(Buffer.compare(checkedIn, Buffer.from(await buildScan()))).toBe(0);
});
