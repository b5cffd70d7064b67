import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { definitionOf, findPadNetworks, installPack, type PackDefinition } from '@wajah/engine';
import { expect, it } from 'vitest';
import { digest } from '../../../engine/src/packs/files.ts';
import { serveHttp } from '../../test/support/http-server.ts';
import { temporaryDirectory } from '../../test/support/temporary.ts';
import { loadConfig } from '../config/config.ts';
import { fetchPadPack } from './pad-pack.ts';

const bytes = Buffer.alloc(5000, 7);
const bounds = { idleMs: 10_000, mostMs: 30_000 };

/** A first start: settings of an empty data directory, and the pack with small files at an address of this machine. */
async function firstStart(answer: (response: ServerResponse) => void) {
  let requests = 0;
  const { url } = await serveHttp((_, response) => {
    requests++;
    answer(response);
  });
  const dataDir = join(temporaryDirectory(), 'data');
  return {
    config: loadConfig({ WAJAH_DATA_DIR: dataDir }),
    dataDir,
    packs: join(dataDir, 'packs'),
    url,
    definition: await smallPack(url),
    requests: () => requests,
  };
}

async function smallPack(url: string): Promise<PackDefinition> {
  const known = await definitionOf('pad');
  const networks = Object.entries(known.networks).map(([role, network]) => {
    const source = { kind: 'onnx', url: `${url}/${role}`, sha256: digest(bytes), bytes: bytes.length };
    return [role, { ...network, source }];
  });
  return { ...known, networks: Object.fromEntries(networks) };
}

/** What a start waits for, or does not. */
async function fetched(...given: Parameters<typeof fetchPadPack>) {
  const arriving = await fetchPadPack(...given);
  return arriving && { awaited: arriving.awaited, ...(await arriving.result) };
}

it('fetches the pack once, and says what came from where under which licence', async () => {
  const { config, dataDir, packs, url, definition, requests } = await firstStart((it) => it.end(bytes));
  expect(await fetched(config, definition)).toEqual({
    awaited: true,
    installed: true,
    line: `The model pack pad of presentation attack detection was fetched: 0.0 MB, Apache-2.0, from ${new URL(url).host}.`,
  });
  expect(await findPadNetworks(packs, false)).toMatchObject({ pack: 'pad' });
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(await fetchPadPack(config, definition)).toBeNull();
  expect(requests()).toBe(2);
});

const refuse = (response: ServerResponse) => void response.writeHead(404).end();
const trickle = (response: ServerResponse) => {
  const timer = setInterval(() => response.write('x'), 5);
  response.once('close', () => clearInterval(timer));
};
it.each([
  [
    'never answers',
    () => {},
    { ...bounds, idleMs: 500 },
    /0 of 5000 bytes came from 127.*no byte came for 0\.5 s/,
  ],
  ['is slow', trickle, { ...bounds, mostMs: 200 }, /it would take more than 0\.2 seconds/],
  [
    'sends other bytes',
    (it: ServerResponse) => it.end(Buffer.alloc(5000)),
    bounds,
    /not .*it was thrown away/,
  ],
  ['has no such file', refuse, bounds, /answered 404/],
])(
  'starts where a server %s, and the next start, which does not wait, tries again',
  async (_, answer, within, reason) => {
    let next: (response: ServerResponse) => void = answer;
    const { config, packs, definition } = await firstStart((response) => next(response));
    const first = await fetched(config, definition, within);
    expect(first).toMatchObject({ awaited: true, installed: false, line: expect.stringMatching(reason) });
    expect(first?.line).toMatch(/^The model pack pad was not fetched: /);
    expect(first?.line).toMatch(/The next start tries again, unless .* "wajah models pull pad"\.$/);
    expect(await findPadNetworks(packs, false)).toBeUndefined();
    next = refuse;
    expect(await fetched(config, definition)).toMatchObject({
      awaited: false,
      installed: false,
      line: expect.stringMatching(/answered 404/),
    });
  },
);

it('a download that nobody waits for ends when the server stops', async () => {
  let answer = refuse;
  const { config, packs, definition, requests } = await firstStart((response) => answer(response));
  await fetched(config, definition);
  answer = () => {};
  const later = await fetchPadPack(config, definition);
  await expect.poll(requests).toBe(2);
  later?.stop();
  expect(await later?.result).toMatchObject({ line: expect.stringContaining('the server stops') });
  expect(await findPadNetworks(packs, false)).toBeUndefined();
});

it('goes on without a network', async () => {
  const { config } = await firstStart(() => {});
  const definition = await smallPack('http://127.0.0.1:9');
  expect((await fetched(config, definition))?.line).toMatch(
    /0 of 5000 bytes came from 127\.0\.0\.1:9, then: /,
  );
});

it('asks nobody when it is switched off, or a pack is there', async () => {
  const { config, dataDir, packs, definition, requests } = await firstStart((it) => it.end(bytes));
  const off = { ...config, packs: { ...config.packs, pad: 'off' as const } };
  expect(await fetchPadPack(off, definition)).toBeNull();
  expect(existsSync(dataDir)).toBe(false);
  await installPack({ ...definition, id: 'mine' }, packs);
  const before = requests();
  expect(await fetchPadPack(config, definition)).toBeNull();
  expect(requests()).toBe(before);
  expect(readdirSync(packs)).toEqual(['mine']);
});

it('starts where the data directory cannot be written, and asks nobody', async () => {
  const { config, dataDir, definition, requests } = await firstStart((it) => it.end(bytes));
  writeFileSync(dataDir, '');
  expect(await fetched(config, definition)).toMatchObject({
    installed: false,
    line: expect.stringContaining(`${dataDir} cannot be created`),
  });
  const shared = loadConfig({
    WAJAH_DATABASE_URL: 'postgres://u:p@127.0.0.1/x',
    WAJAH_DATA_DIR: dataDir,
  });
  expect((await fetched(shared, definition))?.line).toContain(`${join(dataDir, 'packs')} cannot be written`);
  expect(requests()).toBe(0);
});
