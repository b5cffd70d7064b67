import type { AdminOperations } from '../../src/admin/operations.ts';
import type { EvaluationCommands } from '../../src/cli/commands/evaluation.ts';
import { buildProgram } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import type { Environment } from '../../src/config/config.ts';
import type { DoctorFinding } from '../../src/doctor/findings.ts';
import type { StorageOperations } from '../../src/operator/storage.ts';

function library({
  evaluate,
  calibrate,
  calibrateGalleries,
  evaluateRecorded,
}: EvaluationCommands): EvaluationCommands {
  return { evaluate, calibrate, calibrateGalleries, evaluateRecorded };
}

function stores({ backup, migrate }: StorageOperations): StorageOperations {
  return { backup, migrate };
}

/** Runs a command line on a terminal and with operations that record their calls. */
export async function runOnOperations(
  line: string,
  answers: Record<string, unknown> = {},
  person: Partial<Terminal> = {},
  env: Environment = {},
) {
  const calls: [string, unknown][] = [];
  const out: string[] = [];
  const notes: string[] = [];
  const operations = new Proxy({} as AdminOperations, {
    get: (_, name: string) => async (input: unknown) => {
      calls.push([name, input]);
      return answers[name];
    },
  });
  const program = buildProgram({
    terminal: {
      out: (text) => out.push(text),
      note: (text) => notes.push(text),
      showsNotes: true,
      confirm: async () => false,
      readLine: async () => '',
      ...person,
    },
    env,
    admin: (work) => work(operations),
    // A copy: the proxy would be taken for a promise.
    evaluation: async () => ({ ...library(operations as unknown as EvaluationCommands) }),
    backups: async () => Promise.reject(new Error('no store here')),
    exports: async () => Promise.reject(new Error('no store here')),
    imports: async () => Promise.reject(new Error('no engine here')),
    models: () => Promise.reject(new Error('not here')),
    storage: async () => ({ ...stores(operations as unknown as StorageOperations) }),
    upgrades: () => Promise.reject(new Error('not here')),
    doctor: async () => answers['doctor'] as DoctorFinding[],
    migrator: async () => Promise.reject(new Error('no pack here')),
    recordings: async () => Promise.reject(new Error('no key here')),
    audit: async () => Promise.reject(new Error('no key here')),
    serve: async () => {
      calls.push(['serve', null]);
    },
  });
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
