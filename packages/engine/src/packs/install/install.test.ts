import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../server/test/support/temporary.ts';
import { cutAfter, serveFile, whole } from '../../../test/support/file-server.ts';
import { definitionOf, knownPacks } from '../catalog.ts';
import { requireUsable } from '../choose.ts';
import { digest } from '../files.ts';
import type { PackDefinition } from '../manifest.ts';
import { downloadsOf, installPack, networksOf } from './install.ts';
import { damagedFiles, installedPack, installedPacks } from './installed.ts';

const near = Uint8Array.from({ length: 5000 }, (_, i) => i % 251);
const close = Uint8Array.from({ length: 7000 }, (_, i) => i % 13);
let folder: string;
let packsDir: string;

beforeEach(() => {
  folder = temporaryDirectory();
  packsDir = join(folder, 'packs');
});

/** The liveness pack with small files of our own. */
async function small(url = 'http://127.0.0.1:9/'): Promise<PackDefinition> {
  const known = await definitionOf('pad');
  const of = (network: PackDefinition['networks']['spoof-near'], bytes: Uint8Array, name: string) => ({
    ...network!,
    source: { kind: 'onnx' as const, url: url + name, sha256: digest(bytes), bytes: bytes.length },
  });
  const { 'spoof-near': first, 'spoof-close': second } = known.networks;
  return {
    ...known,
    networks: { 'spoof-near': of(first, near, 'near'), 'spoof-close': of(second, close, 'close') },
  };
}

describe('the known packs', () => {
  it('are valid, pinned to a commit or a release, and come over TLS from where the licence is stated', async () => {
    const packs = await knownPacks();
    expect(packs.map(({ id }) => id)).toEqual(['auraface', 'opencv-zoo', 'pad', 'plus']);
    for (const pack of packs) {
      expect(pack.trainingData).toMatch(/\.$/);
      for (const { url } of downloadsOf(pack)) {
        expect(url).toMatch(/^https:.*\/([0-9a-f]{40}|open_model_zoo\/2023\.0)\//);
      }
      for (const { licence } of networksOf(pack)) expect(licence).toMatch(/^(MIT|Apache-2\.0)$/);
    }
  });

  it('are named when an unknown one is requested', async () => {
    await expect(definitionOf('buffalo')).rejects.toThrow(
      /known are builtin, auraface, opencv-zoo, pad, plus/,
    );
  });
});

describe('an installation', () => {
  it('downloads, and is complete or absent', async () => {
    const { url } = await serveFile((response, from, request) =>
      whole(request.url?.endsWith('near') ? near : close)(response, from, request),
    );
    const reported: string[] = [];
    const definition = await small(url.replace('model.onnx', ''));
    await installPack(definition, packsDir, {
      progress: (bytes, total) => reported.push(`${bytes}/${total}`),
    });
    expect(reported.at(-1)).toBe('12000/12000');
    expect(readdirSync(packsDir)).toEqual(['pad']);
    const pack = await installedPack(packsDir, 'pad');
    expect(pack.definition).toEqual(definition);
    expect(await damagedFiles(pack)).toEqual([]);
  });

  it('that is interrupted leaves nothing in place, and the next one resumes', async () => {
    const cut = await serveFile((response, from, request) =>
      request.url?.endsWith('near') ? whole(near)(response, from, request) : response.writeHead(404).end(),
    );
    const broken = await small(cut.url.replace('model.onnx', ''));
    await expect(installPack(broken, packsDir)).rejects.toThrow(/answered 404/);
    expect(await installedPacks(packsDir)).toEqual([]);
    const again = await serveFile(cutAfter(close, 1000), whole(close));
    await installPack(await small(again.url.replace('model.onnx', '')), packsDir);
    expect(again.ranges[0]).toBeNull();
    expect(again.ranges[1]).toMatch(/^bytes=\d+-/);
    expect(await installedPacks(packsDir)).toHaveLength(1);
  });

  it('takes files from a folder, by either name or by their SHA-256', async () => {
    const from = join(folder, 'stick');
    mkdirSync(from);
    writeFileSync(join(from, 'near'), near);
    await expect(installPack(await small(), packsDir, { from })).rejects.toThrow(
      /no file minifas-se\.onnx or close/,
    );
    writeFileSync(join(from, 'minifas-se.onnx'), near);
    await expect(installPack(await small(), packsDir, { from })).rejects.toThrow(/SHA-256/);
    writeFileSync(join(from, 'minifas-se.onnx'), close);
    await installPack(await small(), packsDir, { from });
    expect(existsSync(join(packsDir, 'pad', 'minifasnet-v2.onnx'))).toBe(true);
    renameSync(join(from, 'near'), join(from, 'liveness 2.7.onnx'));
    writeFileSync(join(from, 'minifasnet-v2.onnx'), close);
    await installPack(await small(), join(folder, 'other'), { from });
    expect(readFileSync(join(folder, 'other', 'pad', 'minifasnet-v2.onnx'))).toEqual(Buffer.from(near));
  });

  it('replaces the one before, and finds later damage', async () => {
    const from = join(folder, 'stick');
    mkdirSync(from);
    writeFileSync(join(from, 'near'), near);
    writeFileSync(join(from, 'close'), close);
    await installPack(await small(), packsDir, { from });
    const file = join(packsDir, 'pad', 'minifasnet-v2.onnx');
    const bytes = readFileSync(file);
    bytes[17]! ^= 1;
    writeFileSync(file, bytes);
    expect(await damagedFiles(await installedPack(packsDir, 'pad'))).toEqual(['minifasnet-v2.onnx']);
    await installPack(await small(), packsDir, { from });
    expect(await damagedFiles(await installedPack(packsDir, 'pad'))).toEqual([]);
    expect(readdirSync(packsDir)).toEqual(['pad']);
  });

  it('describes a pack of the folder, if it is the requested one', async () => {
    writeFileSync(join(folder, 'pack.json'), JSON.stringify({ ...(await small()), id: 'mine' }));
    expect((await definitionOf('mine', folder)).id).toBe('mine');
    await expect(definitionOf('other', folder)).rejects.toThrow(/describes the pack mine, not other/);
    writeFileSync(join(folder, 'pack.json'), '{"format":1}');
    await expect(definitionOf('mine', folder)).rejects.toThrow(/not valid/);
  });
});

describe('a server', () => {
  it('runs on no pack that finds no faces, nor unasked on one that may not be used commercially', async () => {
    const pad = await definitionOf('pad');
    expect(() => requireUsable(pad, true)).toThrow(
      /pad is not chosen: once it is installed, a server uses .* from its next start/,
    );
    const { 'spoof-near': one } = pad.networks;
    expect(() => requireUsable({ ...pad, networks: { 'spoof-near': one } }, true)).toThrow(
      /a server cannot run on it/,
    );
    const zoo = await definitionOf('opencv-zoo');
    expect(() => requireUsable(zoo, false)).not.toThrow();
    expect(() => requireUsable({ ...zoo, commercial: false }, false)).toThrow(
      /WAJAH_ACCEPT_NONCOMMERCIAL=true/,
    );
    expect(() => requireUsable({ ...zoo, commercial: false }, true)).not.toThrow();
  });
});
