import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { hasReferenceModels, writeReferencePack } from '../../packages/engine/test/support/reference-pack.ts';
import { loadConfig } from '../../packages/server/src/config/config.ts';
import { textOf } from '../../packages/server/src/config/finding.ts';
import { padPackMissing } from '../../packages/server/src/config/findings.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { call } from '../support/enrolling.ts';
import { firstClient, serve, wajah } from '../support/program.ts';
import { root } from '../support/sources.ts';

const padNotice = textOf(padPackMissing(loadConfig({})));

describe('model packs by command', () => {
  const settings = { WAJAH_DATA_DIR: temporaryDirectory() };

  it('are listed with their licences, the built-in one in use', async () => {
    const { code, out } = await wajah(settings, 'models', 'list', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject([
      { id: 'builtin', state: 'built in', in_use: true },
      { id: 'auraface', state: 'available', bytes: 260_694_151, licences: ['Apache-2.0'] },
      { id: 'opencv-zoo', state: 'available', bytes: 38_928_942, commercial: true },
      { id: 'pad', state: 'available', bytes: 3_656_155, in_use: false, licences: ['Apache-2.0'] },
      { id: 'plus', state: 'available', bytes: 3_998_070, in_use: false, licences: ['Apache-2.0'] },
    ]);
  });

  it('cannot be used before they are installed, and unknown ones cannot be pulled', async () => {
    expect(await wajah(settings, 'models', 'use', 'opencv-zoo')).toMatchObject({
      code: 1,
      err: 'wajah: The pack opencv-zoo is not installed: wajah models pull opencv-zoo.\n',
    });
    expect((await wajah(settings, 'models', 'pull', 'buffalo')).err).toMatch(/There is no pack "buffalo"/);
    const from = temporaryDirectory();
    const { code, err } = await wajah(settings, 'models', 'pull', 'opencv-zoo', '--from', from);
    expect([code, err]).toEqual([1, expect.stringMatching(/The folder has no file face_detection_yunet/)]);
    expect((await wajah(settings, 'models', 'verify')).out).toBe('No pack is installed beside builtin.\n');
  });
});

describe.skipIf(!hasReferenceModels())('the pack of PAD networks', () => {
  const settings = { WAJAH_DATA_DIR: join(temporaryDirectory(), 'data') };
  const models = join(root, '../shared/models');

  it('is installed from a folder whatever the names of its files, and used without being chosen', async () => {
    const pulled = await wajah(settings, 'models', 'pull', 'pad', '--from', models);
    expect(pulled).toMatchObject({ code: 0, out: 'Installed pad 2 (Apache-2.0).\n' });
    expect(pulled.err).toMatch(/beside any pack, from its next start/);
    expect(statSync(settings.WAJAH_DATA_DIR).mode & 0o777).toBe(0o700);
    expect((await wajah(settings, 'models', 'verify')).out).toMatch(/^pad 2: every file/);
    const used = await wajah(settings, 'models', 'use', 'pad');
    expect(used).toMatchObject({
      code: 1,
      err: expect.stringMatching(/pad is not chosen: once it is installed, a server uses/),
    });
    expect((await wajah(settings, 'models', 'list')).out).toMatch(/^builtin +in use/m);
  });

  it('is reported by doctor and a server; before that they say how to install it', async () => {
    const empty = await wajah({ WAJAH_DATA_DIR: temporaryDirectory() }, 'doctor');
    expect([empty.code, empty.out]).toEqual([0, expect.stringContaining(padNotice)]);
    expect((await wajah(settings, 'doctor')).out).toMatch(/^ok +pad_pack +pad$/m);
    const server = await serve({ ...settings, WAJAH_PUBLIC_URL: 'https://faces.example/w' });
    const ready = (await (await fetch(`${server.url}/ready`)).json()) as Record<string, unknown>;
    expect(ready).toMatchObject({ status: '200' });
    expect(ready).not.toHaveProperty('notices');
    const { token } = await firstClient(server);
    const link = await wajah(settings, 'client', 'sign-in-link', 'demo');
    expect(link.out).toMatch(/^https:\/\/faces\.example\/w\/console#/);
    const status = await fetch(`${server.url}/system-api/get-status`, { headers: { accesstoken: token } });
    expect(await status.json()).toMatchObject({
      pad: { pack: 'pad', notice: null },
      packs: [{ id: 'builtin' }, { id: 'pad', in_use: true }],
    });
    expect((await server.stop('SIGTERM')).err).not.toContain(padNotice);
  });
});

describe.skipIf(!hasReferenceModels())('a pack of a folder', () => {
  const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
  const accepted = { ...settings, WAJAH_ACCEPT_NONCOMMERCIAL: 'true' };
  const gallery = '/face-api/facegallery';
  let token = '';
  let face: Record<string, unknown>;

  beforeAll(async () => {
    const image = (await drawnFace()).toString('base64');
    face = { facegallery_id: 'demo@trial', user_id: 'u1', user_name: 'One', image, force_register: true };
    const server = await serve(settings);
    ({ token } = await firstClient(server));
    expect(await call(server.url, token, `${gallery}/enroll-face`, face)).toMatchObject({ status: '200' });
    await server.stop('SIGTERM');
  });

  it('is installed, acknowledged, selected and run; galleries of the earlier pack are refused with a reason', async () => {
    const from = writeReferencePack(join(temporaryDirectory(), 'stick'), { curve: 'curve.json' });
    const curve = {
      pack: 'reference',
      evidence: {},
      knots: [
        [-0.2, 0],
        [0.6, -6],
      ],
    };
    writeFileSync(join(from, 'curve.json'), JSON.stringify(curve));
    const pulled = await wajah(settings, 'models', 'pull', 'reference', '--from', from);
    expect(pulled).toMatchObject({ code: 0, out: 'Installed reference 1 (MIT, none stated).\n' });
    expect(pulled.err).toContain('licence: MIT, none stated (not for commercial use)\n');
    expect(pulled.err).toContain('Galleries that were enrolled with another pack are refused while it runs');
    expect((await wajah(settings, 'models', 'use', 'reference')).err).toMatch(
      /WAJAH_ACCEPT_NONCOMMERCIAL=true/,
    );
    expect((await wajah(accepted, 'models', 'use', 'reference')).code).toBe(0);
    expect((await wajah(settings, 'models', 'verify')).out).toMatch(/^reference 1: every file/);

    const server = await serve(accepted);
    const warning = await server.waitForOutput(/Warning: (1 gallery with 1 face .*)\n/);
    expect(warning).toMatch(
      /belong to the model pack builtin .*, this server runs reference 1 \(mobilefacenet\)/,
    );
    const ready = (await (await fetch(`${server.url}/ready`)).json()) as { notices: string[] };
    expect(ready.notices).toContain(warning);
    expect(await call(server.url, token, `${gallery}/verify-face`, face)).toMatchObject({
      status: '403',
      detail: expect.stringMatching(/enrolled with the model pack builtin .* runs reference 1/),
    });
    await call(server.url, token, `${gallery}/create-facegallery`, { facegallery_id: 'new' });
    const anew = { ...face, facegallery_id: 'new' };
    expect(await call(server.url, token, `${gallery}/enroll-face`, anew)).toMatchObject({ status: '200' });
    expect(await call(server.url, token, `${gallery}/verify-face`, anew)).toMatchObject({
      verified: true,
      similarity: 1,
    });
    await server.stop('SIGTERM');

    expect((await wajah(settings, 'models', 'use', 'builtin')).code).toBe(0);
    const back = await serve(settings);
    expect(await call(back.url, token, `${gallery}/verify-face`, face)).toMatchObject({ verified: true });
    await back.stop('SIGTERM');
  });
});
