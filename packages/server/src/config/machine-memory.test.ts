import { totalmem } from 'node:os';
import { expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { machineMemory } from './machine-memory.ts';

it('is what the process may use, and a quarter of it is for matching, never less than 1 GiB', () => {
  expect(machineMemory()).toBeGreaterThan(2 ** 26);
  expect(machineMemory()).toBeLessThanOrEqual(totalmem());
  const { memoryBytes } = loadConfig({}).matching;
  expect(memoryBytes).toBe(Math.max(2 ** 30, Math.floor(machineMemory() / 4 / 2 ** 20) * 2 ** 20));
  expect(loadConfig({ WAJAH_MATCH_MEMORY_MB: '300' }).matching.memoryBytes).toBe(300 * 2 ** 20);
});
