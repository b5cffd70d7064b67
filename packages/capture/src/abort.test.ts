import { afterEach, beforeEach, expect, it } from 'vitest';
import { abortable } from './abort.ts';

const unhandled: unknown[] = [];
const record = (reason: unknown) => unhandled.push(reason);

beforeEach(() => process.on('unhandledRejection', record));
afterEach(() => process.off('unhandledRejection', record));

it('a promise that fails after the abort leaves no unhandled rejection', async () => {
  const failing = new Promise((_, reject) => setTimeout(() => reject(new Error('too late')), 5));
  await expect(abortable(failing, AbortSignal.abort(new Error('aborted')))).rejects.toThrow('aborted');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unhandled).toEqual([]);
});
