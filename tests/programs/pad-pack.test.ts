import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { definitionOf } from '../../packages/engine/src/packs/catalog.ts';
import { digest } from '../../packages/engine/src/packs/files.ts';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { loadConfig } from '../../packages/server/src/config/config.ts';
import { textOf } from '../../packages/server/src/config/finding.ts';
import { padPackMissing } from '../../packages/server/src/config/findings.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { call } from '../support/enrolling.ts';
import { firstClient, serve, wajah } from '../support/program.ts';
import { root } from '../support/sources.ts';
import { startTlsProxy } from '../support/tls-proxy.ts';

const padNotice = textOf(padPackMissing(loadConfig({})));

/** The networks are not part of the repository. */
const models = join(root, '../shared/models');

/**
 * Serves the files of the packs where `available` says so, otherwise the page of a captive portal.
 * @returns `settings` of a first start that may fetch them
 */
async function serveFiles(available: () => boolean) {
  const files = new Map(readdirSync(models).map((name) => [digest(readFileSync(join(models, name))), name]));
  const packs = await Promise.all(['pad', 'plus'].map((id) => definitionOf(id)));
  const networks = packs.flatMap((pack) => Object.values(pack.networks));
  const names = networks.map((network) => {
    const { url, sha256 } = network!.source as { url: string; sha256: string };
    return [new URL(url).pathname, files.get(sha256)!] as const;
  });
  const asked: string[] = [];
  const proxy = await startTlsProxy('raw.githubusercontent.com', ({ url: path = '' }, response) => {
    asked.push(path);
    response.end(available() ? readFileSync(join(models, new Map(names).get(path)!)) : 'a captive portal');
  });
  const dataDir = join(temporaryDirectory(), 'data');
  const settings = { ...proxy.settings, WAJAH_DATA_DIR: dataDir, WAJAH_PAD_PACK: 'auto' };
  return { settings, asked, paths: names.map(([path]) => path) };
}

const readyOf = async (url: string) =>
  (await (await fetch(`${url}/ready`)).json()) as { pad: string; embedder: string };
const padOf = async (url: string) => (await readyOf(url)).pad;

describe.skipIf(!existsSync(models))('the packs pad and plus', () => {
  it('are fetched by a first start, which runs with them', async () => {
    const { settings, asked, paths } = await serveFiles(() => true);
    const server = await serve(settings);
    const { token } = await firstClient(server);
    const status = await fetch(`${server.url}/system-api/get-status`, { headers: { accesstoken: token } });
    const embedder = 'mobilefacenet-ms1m+mobilefacenet-foamliu';
    expect(await status.json()).toMatchObject({
      embedder,
      pad: { pack: 'pad', notice: null },
      packs: [
        { id: 'builtin', in_use: false },
        { id: 'pad', in_use: true },
        { id: 'plus', in_use: true },
      ],
    });
    expect(await readyOf(server.url)).toMatchObject({ pad: 'pad', embedder });
    expect((await wajah(settings, 'doctor')).out).toMatch(/^ok +model_pack +plus$/m);
    const { out, err } = await server.stop('SIGTERM');
    const line =
      'The model pack pad of presentation attack detection was fetched: 3.7 MB, Apache-2.0, from raw.githubusercontent.com.';
    expect(out).toContain(line);
    expect(err).toContain(`${line}\n`);
    expect(err).not.toContain(padNotice);
    const plusLine =
      'The model pack plus was fetched: 4.0 MB, Apache-2.0, from raw.githubusercontent.com. Faces are compared with the model pack plus from the first person on.';
    expect(out).toContain(plusLine);
    expect(err).toContain(`${plusLine}\n`);
    expect(asked.toSorted()).toEqual(paths.toSorted());

    const again = await serve(settings);
    expect((await readyOf(again.url)).embedder).toBe(embedder);
    expect((await again.stop('SIGTERM')).out).not.toContain('was fetched');
    expect(asked).toHaveLength(paths.length);
  });

  it('that did not come: plus is taken by a later start if only the drawn people of samples are enrolled', async () => {
    let available = false;
    const files = await serveFiles(() => available);
    const settings = { ...files.settings, WAJAH_SAMPLES: 'true' };
    const first = await serve(settings);
    const { token } = await firstClient(first);
    expect((await readyOf(first.url)).embedder).toBe('mobilefacenet-ms1m');
    const sri = readFileSync(join(root, 'samples/sri-2.jpg')).toString('base64');
    const identified = async (server: string) => {
      const probe = { facegallery_id: 'samples', image: sri };
      const answer = await call(server, token, '/face-api/facegallery/identify-face', probe);
      return [answer['status'], (answer['return'] as { user_id: string }[] | undefined)?.[0]?.user_id];
    };
    await expect.poll(() => identified(first.url)).toEqual(['200', 'sri']);
    await first.stop('SIGTERM');
    available = true;
    const second = await serve(settings);
    expect((await readyOf(second.url)).embedder).toBe('mobilefacenet-ms1m+mobilefacenet-foamliu');
    await expect.poll(() => identified(second.url)).toEqual(['200', 'sri']);
    expect((await second.stop('SIGTERM')).err).toMatch(/^The model pack plus was fetched: /m);
    const third = await serve(settings);
    expect(await identified(third.url)).toEqual(['200', 'sri']);
    // Where somebody else is among them, nobody is enrolled anew.
    const person = { facegallery_id: 'samples', user_id: 'ani', user_name: 'Ani' };
    const image = (await drawnFace({ person: 'ani' })).toString('base64');
    const enrol = { ...person, image, force_register: true };
    expect(await call(third.url, token, '/face-api/facegallery/enroll-face', enrol)).toMatchObject({
      status: '200',
    });
    await third.stop('SIGTERM');
    expect((await wajah(settings, 'models', 'use', 'builtin')).code).toBe(0);
    const fourth = await serve(settings);
    expect((await wajah(settings, 'gallery', 'list', 'demo')).out).toMatch(/^samples +5 /m);
    await fourth.stop('SIGTERM');
  });

  it('that did not come: pad is fetched by the next start, which says to restart the server; people keep their embedder', async () => {
    let available = false;
    const { settings, asked } = await serveFiles(() => available);
    const first = await serve(settings);
    const { token } = await firstClient(first);
    const image = (await drawnFace({ person: 'ani' })).toString('base64');
    const person = { facegallery_id: 'demo@trial', user_id: 'ani', user_name: 'Ani', image };
    const enrolled = await call(first.url, token, '/face-api/facegallery/enroll-face', {
      ...person,
      force_register: true,
    });
    expect(enrolled).toMatchObject({ status: '200' });
    const { err } = await first.stop('SIGTERM');
    expect(err).toMatch(/^Warning: The model pack pad was not fetched: .*models pull pad"\.$/m);
    expect(err).toContain(`Warning: ${padNotice}\n`);
    expect(err).toMatch(
      /^Warning: The model pack plus was not fetched: .*The next start tries again only while nobody is enrolled/m,
    );

    const offline = await serve(settings);
    expect(await padOf(offline.url)).toBe('none');
    expect((await offline.stop('SIGTERM')).err).toContain(`Warning: ${padNotice}\n`);

    available = true;
    const before = asked.length;
    const unused = await serve(settings);
    await expect
      .poll(() => unused.err)
      .toMatch(/pad .*was fetched: 3\.7 MB.* Restart the server to use it\.$/m);
    expect(asked.length).toBeGreaterThan(before);
    expect(await padOf(unused.url)).toBe('none');
    expect((await unused.stop('SIGTERM')).out).toContain('Restart the server to use it.');

    const later = await serve(settings);
    expect(await padOf(later.url)).toBe('pad');
    expect((await readyOf(later.url)).embedder).toBe('mobilefacenet-ms1m');
    const answer = await fetch(`${later.url}/liveness-api/verify-face-liveness`, {
      method: 'POST',
      headers: { accesstoken: token, 'content-type': 'application/json' },
      body: JSON.stringify({ image, face_parameters: { angle: 'front' } }),
    });
    const { results, detail } = (await answer.json()) as {
      results: { spoof_score: number };
      detail?: string;
    };
    expect(results.spoof_score).not.toBe(0.5);
    expect(detail).toBeUndefined();
    expect(await (await fetch(`${later.url}/ready`)).json()).not.toHaveProperty('notices');
    expect((await later.stop('SIGTERM')).out).not.toContain('was fetched');
  });
});
