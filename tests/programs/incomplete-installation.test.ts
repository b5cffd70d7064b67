import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Finding, textOf } from '../../packages/server/src/config/finding.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { Run, type Settings } from '../support/program.ts';
import { copyProgram, type ProgramCopy } from '../support/program-copy.ts';
import { root } from '../support/sources.ts';

const run = ({ script }: ProgramCopy, settings: Settings, ...args: string[]) =>
  new Run({ WAJAH_DATA_DIR: temporaryDirectory(), ...settings }, args, [process.execPath, script]).finished;

/** What a start says after its first lines, and before the log. */
async function failedStart(copy: ProgramCopy, settings: Settings = {}): Promise<string> {
  const { code, err } = await run(copy, settings, 'serve');
  expect(code).toBe(1);
  const lines = err.split('\n').filter((line) => !/is starting …$|^New installation|^\{|^$/.test(line));
  expect(lines).toEqual([expect.stringMatching(/^wajah: /)]);
  return lines[0]!;
}

/** Cuts the native code of ONNX Runtime for this machine, as a copy that ended early. */
function cutRuntime(copy: ProgramCopy): void {
  const folder = join(copy.copyPackage('onnxruntime-node'), 'bin/napi-v6', process.platform, process.arch);
  const file = join(folder, 'onnxruntime_binding.node');
  writeFileSync(file, readFileSync(file).subarray(0, 4096));
}

/** Leaves a package with its own code, and without that for this machine. */
const withoutParts = (name: string, scope: string) => (copy: ProgramCopy) => {
  copy.copyPackage(name);
  copy.without(scope);
};

describe('a start says what doctor says of a part that cannot be loaded:', () => {
  it.each<[kind: string, id: string, damage: (copy: ProgramCopy) => void, found: RegExp]>([
    ['no driver', 'database_driver', withoutParts('libsql', '@libsql'), /Cannot find module '@libsql\//],
    ['no decoder', 'image_decoder', withoutParts('sharp', '@img'), /Could not load the "sharp" module/],
    ['no runtime', 'onnx_runtime', (it) => it.without('onnxruntime-node'), /Cannot find module/],
    ['half a runtime', 'onnx_runtime', cutRuntime, /file too short|SIG(BUS|SEGV)/],
  ])('%s', async (_, id, damage, found) => {
    const copy = copyProgram();
    damage(copy);
    const said = await failedStart(copy);
    expect(said).toMatch(found);
    expect(said).toMatch(
      new RegExp(`^wajah: ${id}: cannot be loaded .*; install the program on this machine, for \\w+ \\w+ `),
    );
    const { code, out } = await run(copy, {}, 'doctor', '--json');
    expect(code).toBe(1);
    const last = JSON.parse(out).at(-1) as Finding;
    expect(last).toMatchObject({ severity: 'bad', id });
    expect(`wajah: ${id}: ${textOf(last)}`).toBe(said);
  });
});

it.each<[kind: string, damage: (file: string) => void, found: string]>([
  ['is missing', (file) => rmSync(file), 'cannot be read (ENOENT)'],
  ['is damaged', (file) => writeFileSync(file, readFileSync(file).subarray(0, 4096)), 'is damaged'],
])('a start and doctor say what to do where a built-in network %s', async (_, damage, found) => {
  const copy = copyProgram();
  const file = join(copy.folder, 'packages/engine/networks/mesh.onnx');
  damage(file);
  const said = `The model file ${file} ${found}. Install the program again (in a checkout: npm run build).`;
  expect(await failedStart(copy)).toBe(`wajah: The models cannot be opened: ${said}`);
  const { code, out } = await run(copy, {}, 'doctor', '--json');
  expect(code).toBe(1);
  const bad = (JSON.parse(out) as Finding[]).filter(({ severity }) => severity === 'bad');
  expect(bad.map((it) => [it.id, textOf(it)])).toEqual([['model_pack', said]]);
});

it('a start on a system with another C library says that it needs glibc', async () => {
  const copy = copyProgram();
  copy.without('onnxruntime-node');
  // As Node reports on Alpine.
  const musl =
    'const told = process.report.getReport(); delete told.header.glibcVersionRuntime; process.report.getReport = () => told;';
  const said = await failedStart(copy, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(musl)}`,
  });
  expect(said).toMatch(
    /^wajah: onnx_runtime: cannot be loaded .*; it needs glibc, and this system has another/,
  );
});

it('a start whose workers end says where to look', async () => {
  const said = await failedStart(copyProgram(), { WAJAH_ENGINE_LAUNCHER: '/bin/false' });
  expect(said).toBe(
    'wajah: The models cannot be opened: A worker of the engine has ended: exit code 1. `wajah doctor` looks for the reason.',
  );
});

it('a build converts the networks that are missing or damaged, and no others', async () => {
  const copy = copyProgram();
  for (const part of ['dist', 'data', 'package.json'])
    cpSync(join(root, 'models', part), join(copy.folder, 'models', part), { recursive: true });
  const networks = join(copy.folder, 'packages/engine/networks');
  const digests = () =>
    readdirSync(networks).map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(networks, name)))
        .digest('hex'),
    ]);
  const [whole, kept] = [digests(), statSync(join(networks, 'embedder.onnx')).mtimeMs];
  rmSync(join(networks, 'iris.onnx'));
  writeFileSync(join(networks, 'mesh.onnx'), 'not a model');
  writeFileSync(join(networks, 'of-a-former-pack.onnx'), 'x');
  const build = await new Run({}, [join(copy.folder, 'scripts/networks.mjs')], [process.execPath]).finished;
  expect([build.code, build.err]).toEqual([0, '']);
  expect(digests()).toEqual(whole);
  expect(statSync(join(networks, 'embedder.onnx')).mtimeMs).toBe(kept);
});

describe('in a checkout without its packages', () => {
  it('a start or a build says what to run', async () => {
    const copy = copyProgram();
    copy.without('typescript');
    for (const args of [[copy.script, '--build', 'serve'], [join(copy.folder, 'scripts/compile.mjs')]]) {
      const { code, err } = await new Run({}, args, [process.execPath]).finished;
      expect([code, err]).toEqual([
        1,
        `wajah: the compiler is not installed: run \`npm ci --include=dev\` in ${copy.folder}/.\n`,
      ]);
    }
  });

  it('a command says which package is missing', async () => {
    const copy = copyProgram();
    copy.without('commander');
    const early = await run(copy, {}, 'config');
    expect([early.code, early.err]).toEqual([
      1,
      expect.stringMatching(
        /^wajah: Cannot find package 'commander' .*; install the program again .*npm ci\)\n$/,
      ),
    ]);
    const later = copyProgram();
    later.without('fastify');
    expect(await failedStart(later)).toMatch(/Cannot find package 'fastify' .*; install the program again /);
  });
});
