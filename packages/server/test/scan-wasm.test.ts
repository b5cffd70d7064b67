import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildModule } from '../wasm/build.mjs';

it.each(['scan', 'frames'] as const)('the checked-in %s.wasm equals its compiled source', async (name) => {
  const checkedIn = readFileSync(new URL(`../wasm/${name}.wasm`, import.meta.url));
  expect(Buffer.compare(checkedIn, Buffer.from(await buildModule(name)))).toBe(0);
});
