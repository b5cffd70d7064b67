import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { createWajahClient } from '../../packages/client/src/index.ts';
import { freePort } from '../../packages/server/test/support/postgres.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { Container, canRunImages } from '../support/container.ts';
import { npmRegistry } from '../support/npm-registry.ts';
import { firstClient, Run } from '../support/program.ts';
import { root } from '../support/sources.ts';

const run = promisify(execFile);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const picture = (name: string) => ({ path: join(root, 'samples', name) });

/** What a program does with the client library: a person is enrolled and identified in another picture. */
const script = `
import { createWajahClient } from '@wajah/client';
const [url, token] = process.argv.slice(2);
const gallery = createWajahClient({ url, token }).gallery('demo@trial');
await gallery.enrol({ user_id: '1', user_name: 'Sri', image: { path: '${root}/samples/sri-1.jpg' } });
const who = await gallery.identify({ path: '${root}/samples/sri-2.jpg' });
console.log(JSON.stringify({ who: who?.user_name }));
`;

/** The pack of presentation attack detection is not in the repository. */
const padFolder = join(root, '../shared/models');
const pad = existsSync(padFolder) ? 'pad' : 'none';

/** `npm run release`, quickly compressed, with that pack where its files are there. */
async function release(arch: string): Promise<string> {
  const out = temporaryDirectory();
  const options = [
    '--out',
    out,
    '--arch',
    arch,
    '--pad',
    pad === 'none' ? pad : padFolder,
    '--compression',
    '0',
  ];
  await run(process.execPath, [join(root, 'scripts/release/release.mjs'), ...options]);
  return out;
}

/** `npm install` as from the public registry, with the packages of a release in it. */
async function install(out: string, folder: string, args: readonly string[]): Promise<void> {
  const registry = await npmRegistry(join(out, 'npm'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, '.npmrc'), `@wajah:registry=${registry}\n`);
  await run('npm', ['install', '--ignore-scripts=false', '--no-audit', '--no-fund', ...args], {
    cwd: folder,
  });
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );

/** Libraries and programs below a folder, for any platform. */
const nativeParts = (folder: string) =>
  filesBelow(folder).filter((path) => /\.(node|dll|dylib|so)(\.[\d.]+)?$/.test(path));

const sizeOf = (folder: string) =>
  filesBelow(folder).reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);

/** Serves with an own data directory and the interface of CompreFace. */
async function served(...command: string[]) {
  const data = temporaryDirectory();
  const settings = {
    WAJAH_COMPAT: 'compreface',
    WAJAH_PORT: '0',
    WAJAH_DATA_DIR: join(data, 'data'),
  };
  const server = new Run(settings, ['serve'], command);
  const url = await server.waitForOutput(/listens on (http:\S+)/);
  const { token } = await firstClient(server);
  return { url, token, server };
}

describe('a release', () => {
  let out = '';
  beforeAll(async () => {
    out = process.env['WAJAH_TEST_RELEASE'] ?? (await release('x64'));
  }, 1_800_000);

  // A second release beside other tests takes minutes.
  it('gives equal bytes each time', { timeout: 15 * 60_000 }, async () => {
    const sums = (folder: string) => readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
    expect(sums(out)).toHaveLength(canRunImages ? 19 : 18);
    expect(sums(await release('x64'))).toEqual(sums(out));
  });

  it('installs from a registry with the native parts of this platform only, and serves the client library', async () => {
    const folder = temporaryDirectory();
    await install(out, folder, ['@wajah/server', '@wajah/client']);
    const modules = join(folder, 'node_modules');
    const settings = { WAJAH_COMPAT: 'compreface', WAJAH_DATA_DIR: join(folder, 'data') };
    const alone = await new Run(settings, ['serve'], [join(modules, '.bin/wajah')]).finished;
    expect([alone.code, alone.err]).toEqual([
      1,
      expect.stringContaining('needs the package @wajah/compreface'),
    ]);
    await install(out, folder, ['@wajah/server', '@wajah/client', '@wajah/compreface']);
    expect(readdirSync(modules)).not.toContain('human-mobilefacenet');
    // The package of SQLite for musl does not say that it is for musl.
    const foreign = nativeParts(modules).filter((path) => !new RegExp(`linux-${process.arch}/`).test(path));
    expect(foreign.filter((path) => !/^@libsql\/linux-\w+-(gnu|musl)\//.test(path))).toEqual([]);
    expect(sizeOf(modules)).toBeLessThan(160e6);
    expect(readFileSync(join(modules, '.package-lock.json'), 'utf8')).not.toContain('hasInstallScript');
    writeFileSync(join(folder, 'try.js'), script);

    expect((await run('npx', ['wajah', '--version'], { cwd: folder })).stdout).toBe(`${version}\n`);
    const copying = () =>
      new Run({}, ['migrate-store', '--from', '.', '--to', '.'], [join(modules, '.bin/wajah')]).finished;
    expect((await copying()).err).toContain('--from and --to are the same store');
    rmSync(join(modules, '@wajah/tools'), { recursive: true });
    expect((await copying()).err).toContain('needs the package @wajah/tools');
    // What `npx wajah` starts: npx itself does not pass signals on.
    const { url, token, server } = await served(join(modules, '.bin/wajah'));
    const { stdout } = await run(process.execPath, ['try.js', url, token], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({ who: 'Sri' });
    for (const page of ['console', 'docs', 'docs/guide/', 'docs/guide/files/programs/shell.sh']) {
      expect([page, (await fetch(`${url}/${page}`)).status]).toEqual([page, 200]);
    }
    expect(await (await fetch(`${url}/ready`)).json()).toMatchObject({ pad });
    expect((await server.stop('SIGTERM')).code).toBe(0);
  });

  it.each(['linux-arm64', 'darwin-arm64'])('installs one library of ONNX Runtime: %s', async (platform) => {
    const folder = temporaryDirectory();
    const [os, cpu] = platform.split('-');
    await install(out, folder, ['@wajah/onnxruntime', `--os=${os}`, `--cpu=${cpu}`]);
    const names = readdirSync(join(folder, 'node_modules/@wajah'));
    expect(names).toEqual(['onnxruntime', `onnxruntime-${platform}`]);
  });

  it('runs from its archive with the Node that it brings', async () => {
    const folder = temporaryDirectory();
    await run('tar', [
      '-xJf',
      join(out, fileIn(out, /-amd64\.tar\.xz$/)),
      '-C',
      folder,
      '--strip-components=1',
    ]);
    const models = join(folder, 'lib/node_modules/@wajah/engine');
    const networks = readdirSync(models, { recursive: true, encoding: 'utf8' }).map((path) => basename(path));
    const notice = readFileSync(join(folder, 'NOTICE'), 'utf8');
    const unnamed = networks.filter((name) => name.endsWith('.onnx') && !notice.includes(`${name}: `));
    expect(unnamed).toEqual([]);
    expect(statSync(join(out, fileIn(out, /-amd64\.tar\.xz$/))).size).toBeLessThan(150e6);

    const { url, server } = await served(join(folder, 'bin/wajah'));
    expect(await (await fetch(`${url}/ready`)).json()).toMatchObject({ status: '200', pad });
    expect((await server.stop('SIGTERM')).code).toBe(0);
  });

  it.skipIf(!canRunImages)('serves from its image, and keeps people in the volume', async () => {
    const container = new Container(join(out, fileIn(out, /-image-amd64\.tar$/)), `wajah:${version}`);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const first = container.serve(port);
    await first.waitForOutput(/curl .*\n/);
    const [, token = ''] = /TOKEN='(.+)'/.exec(container.readData('first-client.env')) ?? [];
    const gallery = createWajahClient({ url, token }).gallery('demo@trial');
    await gallery.enrol({ user_id: '1', user_name: 'Sri', image: picture('sri-1.jpg') });
    expect(await (await fetch(`${url}/ready`)).json()).toMatchObject({ pad });
    expect(container.podman('exec', 'wajah', ...healthCheck())).toBe('');
    expect(container.podman('exec', 'wajah', 'id', '-u').trim()).toBe('10001');
    expect(() => container.podman('exec', 'wajah', 'touch', '/opt/wajah/new')).toThrow(/Read-only/);
    expect((await first.stop('SIGTERM')).code).toBe(0);

    const second = container.serve(port);
    await second.waitForOutput(/listens on/);
    expect(await gallery.identify(picture('sri-2.jpg'))).toMatchObject({ user_id: '1' });
    expect((await second.stop('SIGTERM')).code).toBe(0);
  });
});

/** The command of the Dockerfile: images of the format OCI have none. */
function healthCheck(): string[] {
  const text = readFileSync(join(root, 'deploy/image/Dockerfile'), 'utf8');
  return JSON.parse(/HEALTHCHECK[^[]*(\[.*\])/.exec(text)?.[1] ?? '') as string[];
}

function fileIn(folder: string, name: RegExp): string {
  return readdirSync(folder).find((file) => name.test(file)) ?? '';
}
