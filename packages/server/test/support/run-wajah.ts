import { runCommand } from '../../src/cli/run.ts';

/** Runs a command in this process, for example beside a running server. Questions are answered with no. */
export async function runWajah(env: Record<string, string>, ...args: string[]) {
  const [out, notes]: [string[], string[]] = [[], []];
  const terminal = {
    out: (text: string) => void out.push(text),
    note: (text: string) => void notes.push(text),
    showsNotes: true,
    confirm: async () => false,
    readLine: async () => '',
  };
  const code = await runCommand(args, terminal, env);
  return { code, out: out.join('\n'), notes: notes.join('\n') };
}
