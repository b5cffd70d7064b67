import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { root } from '../support/sources.ts';

const run = promisify(execFile);
const data = temporaryDirectory();
const calls = ['verify', 'identify', 'liveness', 'enrol', 'list', 'envelope'].join();

/** Each benchmark with the least work that it can be given, and what it prints then. */
const benches: readonly (readonly [name: string, options: readonly string[], printed: RegExp])[] = [
  [
    'bodies',
    ['--pieces', '65536', '--rounds', '1', '--most', '10000', '--only', '^JSON: a text'],
    /\| JSON: a text \|/,
  ],
  ['bombs', ['--rounds', '1', '--only', '^a crowd of 100, 16'], /\| a crowd of 100/],
  ['engine', ['--data', data, '--pictures', '1', '--rounds', '1'], /a frontal frame of a session/],
  ['http', ['--data', data, '--parts', 'starts', '--starts', '1'], /\| 2 \| \d/],
  ['http', ['--data', data, '--parts', 'load', '--seconds', '0.2'], /\| 2 \| 1000 % \|/],
  ['http', ['--data', data, '--parts', 'calls', '--seconds', '0.2', '--calls', calls], /\| envelope \|/],
  ['http', ['--data', data, '--parts', 'people', '--people', '1000'], /\| 1000 \| \d/],
  ['search', ['1000x128', '--runs', '1'], /plain JavaScript, float32/],
];

/** Those that fill galleries of 100,000 people, send gigabytes or install the programs that they compare with. */
const longer = ['load', 'peers', 'sizing'];

beforeAll(async () => {
  mkdirSync(join(data, 'verification'));
  writeFileSync(join(data, 'verification/ani.jpg'), await drawnFace({ person: 'ani' }));
  writeFileSync(join(data, 'verification/manifest.json'), '[{"file":"ani.jpg","split":"dev"}]');
});

it('every benchmark is run here, or named as a longer one', () => {
  const folder = join(root, 'lab/src/bench');
  const all = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => basename(name, '.ts'));
  expect([...new Set([...benches.map(([name]) => name), ...longer])].sort()).toEqual(all.sort());
});

it.each(benches)('%s runs: %j', async (name, options, printed) => {
  const program = join(root, `lab/dist/bench/${name}.js`);
  expect(existsSync(program)).toBe(true);
  const { stdout } = await run(process.execPath, [program, ...options], { cwd: root });
  expect(stdout).toMatch(printed);
});
