import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../server/test/support/temporary.ts';
import type { PreparedPack } from '../src/packs/builtin.ts';
import { AnalyzerPool } from '../src/runtime/pool.ts';

const entry = fileURLToPath(new URL('./support/faulty-worker.js', import.meta.url));
const operations = fileURLToPath(new URL('../../../docs/operations/installing.md', import.meta.url));

/** The table of launchers in the documentation. */
const launchers = [...readFileSync(operations, 'utf8').matchAll(/^\| `(\/usr\/bin\/[^`]+)` \|.*\|(.*)\|$/gm)];

/** The launcher with folders of this test instead of those of an installation. */
function commandOf(text: string, folder: string): string[] {
  return text
    .replace(/--tmpfs \/etc\/wajah/, '')
    .replace('/var/lib/wajah', folder)
    .split(/\s+/);
}

/** Runs a script of Node through a launcher. @returns whether it succeeded */
function runs([file = '', ...args]: readonly string[], script: string, ...given: string[]): boolean {
  return spawnSync(file, [...args, process.execPath, '-e', script, ...given]).status === 0;
}

const reads = "require('node:fs').readFileSync(process.argv[1])";
const connects =
  "require('node:net').connect(process.argv[1]).on('error', () => process.exit(1)).on('connect', () => process.exit(0))";

describe.each(launchers.map(([, text = '', rights = '']) => [text, rights] as const))(
  '%s',
  (text, rights) => {
    it('starts workers, which then lack the rights that the documentation says', async ({ skip }) => {
      const folder = temporaryDirectory();
      const launcher = commandOf(text, folder);
      if (!runs(launcher, reads, entry)) skip('the program is missing or may not be used here');
      const pool = new AnalyzerPool({
        workers: 1,
        deadlineMs: 20_000,
        queue: 1,
        limits: { maxBytes: 10 << 20, maxPixels: 50e6 },
        launch: {
          entry,
          launcher,
          memoryBytes: 1 << 30,
          pack: { manifest: { id: 'any' }, folder: dirname(entry) } as PreparedPack,
        },
      });
      await pool.start();
      const request = { attributes: [], maxFaces: 1, search: 'fast' } as const;
      expect((await pool.analyze(Buffer.from('picture'), request)).found).toBeGreaterThan(0);
      // The first process of a namespace ignores its own signals, so it exits.
      await expect(pool.analyze(Buffer.from('exit'), request)).rejects.toMatchObject({
        code: 'crashed',
      });
      expect((await pool.analyze(Buffer.from('picture'), request)).found).toBeGreaterThan(0);
      await pool.close();

      const secret = join(folder, 'secret.key');
      writeFileSync(secret, 'key', { mode: 0o600 });
      if (/no data directory/.test(rights)) expect(runs(launcher, reads, secret)).toBe(false);
      const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as { port: number };
      if (/no network/.test(rights)) expect(runs(launcher, connects, String(port))).toBe(false);
      if (/no (sight of )?other processes/.test(rights))
        expect(runs(launcher, reads, `/proc/${process.pid}/environ`)).toBe(false);
    });
  },
);

it.skipIf(process.getuid?.() !== 0)('workers lose what the server may hand on, with any launcher', () => {
  const command = fileURLToPath(new URL('../dist/runtime/processes/command.js', import.meta.url));
  const script = `import { spawnSync } from 'node:child_process';
    import { workerCommand } from ${JSON.stringify(command)};
    const launcher = ['/bin/sh', '-c', 'grep CapEff /proc/self/status'];
    const pack = { manifest: { id: 'any' }, folder: ${JSON.stringify(dirname(entry))} };
    const { file, args } = workerCommand({ entry: ${JSON.stringify(entry)}, pack, memoryBytes: 1 << 30, launcher });
    spawnSync(file, args, { stdio: 'inherit' });`;
  const caps = '+dac_override';
  const as = ['--reuid=65534', '--clear-groups', `--inh-caps=${caps}`, `--ambient-caps=${caps}`];
  const node = [process.execPath, '--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync('setpriv', [...as, ...node], { encoding: 'utf8' });
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^CapEff:\s0+\n$/), '']);
});

it('the documentation has launchers', () => {
  expect(launchers.length).toBeGreaterThanOrEqual(4);
});
