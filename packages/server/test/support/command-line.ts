import { buildProgram } from '../../src/cli/program.ts';
import type { Environment } from '../../src/config/config.ts';
import type { CommandDeps } from '../../src/operations/command.ts';
import type { Answer } from '../../src/operations/operator-calls.ts';
import type { Terminal } from '../../src/operations/terminal.ts';

/** A library whose functions record their calls. */
const recording = (names: readonly string[], call: (name: string) => (input: unknown) => Promise<unknown>) =>
  Object.fromEntries(names.map((name) => [name, call(name)]));

/**
 * Runs a command line on a terminal, with endpoints that record their calls.
 * @param answers by the id of the endpoint; a function is called with the fields, and `client` for whom it is called
 */
export async function runOnOperations(
  line: string,
  answers: Record<string, unknown> = {},
  person: Partial<Terminal> = {},
  env: Environment = {},
) {
  const calls: [string, unknown][] = [];
  const out: string[] = [];
  const notes: string[] = [];
  const call = (name: string) => async (input: unknown) => {
    calls.push([name, input]);
    const answer = answers[name];
    return typeof answer === 'function' ? answer(input) : answer;
  };
  const unused = () => Promise.reject(new Error('not here'));
  const evaluation = ['evaluate', 'calibrate', 'calibrateGalleries'];
  const deps: CommandDeps = {
    terminal: {
      out: (text) => out.push(text),
      note: (text) => notes.push(text),
      showsNotes: true,
      confirm: async () => false,
      readLine: async () => '',
      ...person,
    },
    env,
    callAsOperator: (work) =>
      work(async ({ id }, fields, clientId) => {
        const sent = Object.fromEntries(
          Object.entries(fields ?? {}).filter(([, value]) => value !== undefined),
        );
        const answer = await call(id)(clientId === undefined ? sent : { ...sent, client: clientId });
        return (answer ?? {}) as Answer;
      }, unused),
    library: async (name) =>
      name === 'tools' ? import('../../../tools/src/index.ts') : recording(evaluation, call),
  };
  const program = buildProgram(deps);
  const quiet = { writeOut: (text: string) => out.push(text), writeErr: (text: string) => notes.push(text) };
  for (const command of [program, ...program.commands, ...program.commands.flatMap((c) => c.commands)]) {
    command.exitOverride().configureOutput(quiet);
  }
  const error = await program.parseAsync(line.split(' '), { from: 'user' }).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  return { calls, out: out.join('\n'), notes: notes.join('\n'), error };
}
