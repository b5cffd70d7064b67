import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ProviderState, ProviderUse } from '../types.ts';
import { compiledFile } from './processes/command.ts';

/** A driver may look for its devices. */
const TIMEOUT_MS = 60_000;

/**
 * Runs a small network with each provider, in a process of its own: a driver may end it.
 * @param names as ONNX Runtime has them, such as `cuda`
 */
export async function inspectProviders(names: readonly string[]): Promise<ProviderState[]> {
  try {
    const args = [compiledFile('runtime/processes/probe-providers.js'), ...names];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: TIMEOUT_MS });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as ProviderState[];
  } catch (error) {
    const { signal, code } = error as { signal?: string; code?: unknown };
    const problem = `the process that tried it ended (${signal ?? code ?? 'no answer'})`;
    return names.map((name) => ({ name, builtIn: name === 'cpu', problem: name === 'cpu' ? null : problem }));
  }
}

/** @param wanted in the order of preference */
export async function usableProviders(wanted: readonly string[]): Promise<ProviderUse> {
  const others = wanted.filter((name) => name !== 'cpu');
  const states = others.length > 0 ? await inspectProviders(others) : [];
  const missing = states.filter(({ problem }) => problem !== null);
  const used = others.filter((name) => missing.every((state) => state.name !== name));
  return { used: [...used, 'cpu'], missing };
}
