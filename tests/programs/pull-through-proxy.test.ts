import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { digest } from '../../packages/engine/src/packs/files.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { Run, type Settings } from '../support/program.ts';
import { copyProgram, type ProgramCopy } from '../support/program-copy.ts';
import { startTlsProxy } from '../support/tls-proxy.ts';

const host = 'packs.example';
const files = [Buffer.alloc(5000, 'near'), Buffer.alloc(7000, 'close')];

let copy: ProgramCopy;
let proxy: Awaited<ReturnType<typeof startTlsProxy>>;

beforeAll(async () => {
  proxy = await startTlsProxy(host, ({ url }, response) =>
    response.end(url === '/near' ? files[0] : files[1]),
  );
  copy = copyProgram();
  const definition = join(copy.folder, 'packages/engine/data/packs/pad.json');
  const pack = JSON.parse(readFileSync(definition, 'utf8'));
  for (const [at, name] of ['near', 'close'].entries())
    Object.assign(pack.networks[`spoof-${name}`].source, {
      url: `https://${host}/${name}`,
      sha256: digest(files[at]!),
      bytes: files[at]!.length,
    });
  writeFileSync(definition, JSON.stringify(pack));
});

const pull = (settings: Settings, ...args: string[]) =>
  new Run(
    { WAJAH_DATA_DIR: join(temporaryDirectory(), 'data'), ...settings },
    ['models', 'pull', 'pad', ...args],
    [process.execPath, copy.script],
  ).finished;

it('a pack comes through a proxy that opens TLS, with the authority of the network', async () => {
  const settings = {
    ...proxy.settings,
    WAJAH_DATA_DIR: join(temporaryDirectory(), 'data'),
  };
  const { code, out, err } = await pull(settings, '--yes');
  expect([code, out], err).toEqual([0, 'Installed pad 2 (Apache-2.0).\n']);
  expect(proxy.asked).toContain(`${host}:443`);
  const installed = join(settings.WAJAH_DATA_DIR, 'packs/pad/minifasnet-v2.onnx');
  expect(readFileSync(installed)).toEqual(files[0]);
});

it('what is missing is said: the authority, the password of the proxy, the way around it', async () => {
  const { HTTPS_PROXY, NODE_EXTRA_CA_CERTS } = proxy.settings;
  const unknown = await pull({ HTTPS_PROXY }, '--yes');
  expect([unknown.code, unknown.err]).toEqual([
    1,
    expect.stringMatching(
      /0 of 5000 bytes came from packs\.example, then: .*NODE_EXTRA_CA_CERTS names the file/,
    ),
  ]);
  const refused = await pull({ https_proxy: `http://${proxy.address}`, NODE_EXTRA_CA_CERTS }, '--yes');
  expect(refused.err).toMatch(/then: .*407/);
  expect(refused.err).not.toContain('secret');
  expect(refused.err).toContain('`wajah models pull pad --print` says where its files are');
  const before = proxy.asked.length;
  const around = await pull({ HTTPS_PROXY, NO_PROXY: host }, '--yes');
  expect(around.err).toMatch(/then: (ENOTFOUND|EAI_AGAIN)/);
  expect(proxy.asked).toHaveLength(before);
});

it('the files of a pack are named with address, size and SHA-256, and by a folder that lacks them', async () => {
  const { code, out } = await pull({}, '--print');
  expect(code).toBe(0);
  const lines = out.split('\n').map((line) => line.split(/ +/));
  expect(lines.slice(1, 3)).toEqual([
    [`https://${host}/near`, '5000', digest(files[0]!)],
    [`https://${host}/close`, '7000', digest(files[1]!)],
  ]);
  const stick = temporaryDirectory();
  const none = await pull({}, '--from', stick);
  for (const name of ['near', 'close']) expect(none.err).toContain(`it is at https://${host}/${name}`);
  mkdirSync(join(stick, 'found'));
  for (const [at, [address = '']] of lines.slice(1, 3).entries())
    writeFileSync(join(stick, 'found', address.split('/').at(-1)!), files[at]!);
  expect((await pull({}, '--from', join(stick, 'found'))).code).toBe(0);
});
