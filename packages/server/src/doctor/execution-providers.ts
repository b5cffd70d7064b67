import { inspectProviders } from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { executionProviders } from '../config/settings-resources.ts';
import { bad, type DoctorFinding, doubtful, good } from './findings.ts';

/** What ONNX Runtime has here, what runs, and what a server uses. */
export async function checkExecutionProviders({ engine }: Pick<Config, 'engine'>): Promise<DoctorFinding[]> {
  const what = 'execution providers';
  const states = await inspectProviders(executionProviders);
  const found = states.map(({ name, builtIn, problem }) =>
    problem === null
      ? `${name} runs`
      : `${name} ${builtIn ? 'is built in, but' : 'is not there:'} ${problem}`,
  );
  const wanted = engine.executionProviders;
  const missing = wanted.filter((name) => states.find((state) => state.name === name)?.problem !== null);
  const used = [...wanted.filter((name) => name !== 'cpu' && !missing.includes(name)), 'cpu'].join(', ');
  const all = `a server uses ${used}. On this machine: ${found.join('; ')}`;
  const cpu = states.find(({ name }) => name === 'cpu')?.problem;
  if (cpu) return [bad(what, `ONNX Runtime does not run: ${cpu}; install the program on this machine`)];
  if (missing.length === 0) return [good(what, all)];
  return [doubtful(what, `${missing.join(', ')} cannot be used (WAJAH_EXECUTION_PROVIDERS); ${all}`)];
}
