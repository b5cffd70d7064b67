import { expect, it } from 'vitest';
import { inspectProviders, usableProviders } from './execution-providers.ts';

it('cpu runs everywhere, and what ONNX Runtime does not have is named with the reason', async () => {
  const [cpu, none] = await inspectProviders(['cpu', 'nonsense']);
  expect(cpu).toEqual({ name: 'cpu', builtIn: true, problem: null });
  expect(none).toMatchObject({ name: 'nonsense', builtIn: false });
  expect(none?.problem).toMatch(/^this build of ONNX Runtime does not have it/);
});

it('missing providers are left out, and cpu is the last resort', async () => {
  expect(await usableProviders(['cpu'])).toEqual({ used: ['cpu'], missing: [] });
  const { used, missing } = await usableProviders(['nonsense', 'cpu']);
  expect(used).toEqual(['cpu']);
  expect(missing.map(({ name }) => name)).toEqual(['nonsense']);
});
