import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildModule, fileOf, modules } from '../../scripts/build-wasm.mjs';

it.each(modules)('the checked-in %s.wasm equals its compiled source', async (name) => {
  const checkedIn = readFileSync(fileOf(name, 'wasm'));
  expect(Buffer.compare(checkedIn, Buffer.from(await buildModule(name)))).toBe(0);
});
