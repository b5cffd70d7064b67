import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { serveHttp } from '../../../test/support/http-server.ts';
import { releasedKey } from '../../../test/support/released-schemas.ts';
import {
  type Broken,
  change,
  requireFinding,
  soundDirectory,
} from '../../../test/support/sound-directory.ts';
import { startTestApp } from '../../../test/support/test-app.ts';
import type { Environment } from '../../config/config.ts';
import { lockDataDirectory, socketFile } from '../../store/data-directory.ts';
import { type DoctorSection, runDoctor } from './doctor.ts';

/** Installs a pack whose files are not those of its manifest. */
function damagedPack(dataDir: string, id: string): Environment {
  const folder = join(dataDir, 'packs', id);
  mkdirSync(folder, { recursive: true });
  copyFileSync(
    new URL(`../../../../engine/data/packs/${id}.json`, import.meta.url),
    join(folder, 'pack.json'),
  );
  return {};
}

/** People of a gallery that were enrolled with a pack. */
const enrolledWith = (pack: string, env: Environment) =>
  change(`UPDATE galleries SET embedding_spec = '${JSON.stringify({ pack, version: '1' })}', faces = 1`, env);

const issuer = { WAJAH_ISSUER: 'https://issuer.example', WAJAH_ISSUER_AUDIENCE: 'wajah' };

const broken: Readonly<Record<string, Record<string, Broken>>> = {
  machine: {
    'a setting that is not allowed': [
      () => ({ WAJAH_PORT: '99999' }),
      'bad',
      'settings',
      /WAJAH_PORT is "99999"; allowed: a whole number/,
    ],
    'a misspelt setting': [
      () => ({ WAJAH_PROT: '1' }),
      'doubtful',
      'WAJAH_PROT',
      /is no setting; did you mean WAJAH_PORT/,
    ],
    'a secret that every user can read': [
      (dataDir) => {
        chmodSync(join(dataDir, 'secret.key'), 0o644);
        return { WAJAH_SECRET_KEY_FILE: join(dataDir, 'secret.key') };
      },
      'doubtful',
      'WAJAH_SECRET_KEY_FILE',
      /^every user of this machine can read .*secret\.key \(mode 644\); run chmod o-rwx/,
    ],
    'more workers than cores': [
      () => ({ WAJAH_ENGINE_WORKERS: '64' }),
      'doubtful',
      'cores',
      /WAJAH_ENGINE_WORKERS is 64.*lower it/,
    ],
    'more memory for galleries than the machine has': [
      () => ({ WAJAH_MATCH_MEMORY_MB: '1048576' }),
      'doubtful',
      'memory',
      /lower WAJAH_MATCH_MEMORY_MB/,
    ],
  },
  contradictions: {
    'settings that contradict each other': [
      () => ({ WAJAH_MIN_FACE: '200' }),
      'doubtful',
      'WAJAH_MIN_FACE, WAJAH_MIN_FACE_ENROL',
      /too small to be verified; set WAJAH_MIN_FACE/,
    ],
    'every caller is trusted as a proxy': [
      () => ({ WAJAH_TRUST_PROXY: 'true', WAJAH_HOST: '0.0.0.0' }),
      'doubtful',
      'WAJAH_TRUST_PROXY, WAJAH_HOST',
      /X-Forwarded-For .* name the networks/,
    ],
    'sessions that a mask can do': [
      () => ({ WAJAH_SESSION_EXPRESSION: 'false' }),
      'doubtful',
      'WAJAH_SESSION_EXPRESSION',
      /turns of the head alone, which a mask .* set true/,
    ],
    'a data directory that the database replaced, still with people': [
      () => ({ WAJAH_DATABASE_URL: 'postgres://wajah@127.0.0.1:1/x', WAJAH_SECRET_KEY: releasedKey }),
      'doubtful',
      'WAJAH_DATABASE_URL, WAJAH_DATA_DIR',
      /migrate-store --from data --to database/,
    ],
  },
  model_pack: {
    'people of another pack': [
      enrolledWith('builtin', { WAJAH_PACK: 'plus' }),
      'bad',
      'other_pack',
      /^Galleries belong to the model pack builtin, the next start runs plus: .*models use builtin/,
    ],
    'people of another pack, in the place of what the pack misses': [
      enrolledWith('plus', { WAJAH_PACK: 'builtin' }),
      'bad',
      'other_pack',
      /^Galleries belong to the model pack plus, the next start runs builtin/,
    ],
    'the built-in pack alone': [
      () => ({}),
      'doubtful',
      'model_pack',
      /misses \d\.\d % in place of \d\.\d %.*"wajah models use plus"/,
    ],
    'a model pack that is not installed': [
      () => ({ WAJAH_PACK: 'opencv-zoo' }),
      'bad',
      'model_pack',
      /opencv-zoo is not installed: wajah models pull opencv-zoo/,
    ],
    'a model pack whose files have changed': [
      (dataDir) => ({ WAJAH_PACK: 'opencv-zoo', ...damagedPack(dataDir, 'opencv-zoo') }),
      'bad',
      'model_pack',
      /is damaged, and no server starts: \S+.* missing or changed; install it again/,
    ],
  },
  launcher: {
    'a launcher that is missing': [
      () => ({ WAJAH_ENGINE_LAUNCHER: '/usr/bin/nosuch --all' }),
      'bad',
      'WAJAH_ENGINE_LAUNCHER',
      /^no worker starts: spawn \/usr\/bin\/nosuch ENOENT/,
    ],
    'a launcher that starts nothing': [
      () => ({ WAJAH_ENGINE_LAUNCHER: '/bin/false' }),
      'bad',
      'WAJAH_ENGINE_LAUNCHER',
      /^no worker starts: /,
    ],
    'a launcher that starts workers': [
      () => ({ WAJAH_ENGINE_LAUNCHER: '/usr/bin/env A=b' }),
      'good',
      'WAJAH_ENGINE_LAUNCHER',
      /starts workers/,
    ],
  },
  issuer: {
    'an issuer that does not answer': [
      () => ({ ...issuer, WAJAH_ISSUER_JWKS_URL: 'http://127.0.0.1:9/keys' }),
      'bad',
      'issuer',
      /answered 503: no keys at http:\/\/127\.0\.0\.1:9\/keys \(WAJAH_ISSUER_JWKS_URL\): \S+/,
    ],
    'an issuer with keys': [
      async () => {
        const { url } = await serveHttp((_, response) => response.end('{"keys":[]}'));
        return { ...issuer, WAJAH_ISSUER_JWKS_URL: `${url}/keys` };
      },
      'good',
      'issuer',
      /its keys are at/,
    ],
  },
  pad_pack: {
    'no PAD pack': [() => ({}), 'doubtful', 'pad_pack', /install it with "wajah models pull pad"/],
    'a PAD pack whose files have changed': [
      (dataDir) => damagedPack(dataDir, 'pad'),
      'bad',
      'pad_pack',
      /pad is damaged \(minifasnet-v2.onnx.*is not used; install it again/,
    ],
  },
};
const rows = Object.entries(broken).flatMap(([section, all]) =>
  Object.entries(all).map(([name, row]) => [name, section as DoctorSection, row] as const),
);

describe('wajah doctor', () => {
  it('finds nothing bad in a sound installation', async () => {
    const env = { WAJAH_DATA_DIR: soundDirectory(), WAJAH_KEEP_FACE_CROPS: 'true' };
    const found = await runDoctor(env, ['contradictions', 'store']);
    expect(found.filter(({ severity }) => severity !== 'good')).toEqual([]);
  });

  it('finds whether the port is free, or who has it', async () => {
    const { url } = await serveHttp((_, response) => response.end());
    const port = new URL(url).port;
    const dataDir = soundDirectory();
    const env = { WAJAH_DATA_DIR: dataDir, WAJAH_PORT: port };
    const found = async (settings: Environment) =>
      (await runDoctor(settings, ['port'])).find(({ id }) => id === 'port');
    expect(await found(env)).toMatchObject({
      severity: 'bad',
      sentence: expect.stringMatching(/is taken by another program, .*another installation/),
      remedy: 'stop it, or set WAJAH_PORT',
    });
    const owned = lockDataDirectory(dataDir);
    owned.publish({ url: 'http://127.0.0.1:1' });
    expect(await found(env)).toMatchObject({ severity: 'bad' });
    owned.publish({ url });
    expect(await found(env)).toMatchObject({
      severity: 'good',
      sentence: expect.stringMatching(/this installation listens/),
    });
    owned.release();
    expect(await found({ ...env, WAJAH_HOST: '192.0.2.1' })).toMatchObject({
      severity: 'bad',
      sentence: expect.stringMatching(/is no address of this machine/),
    });
    expect(await found({ ...env, WAJAH_PORT: '0' })).toMatchObject({ severity: 'good' });
  });

  it('says what the running server finds besides, and nothing twice', async () => {
    const engine = { ...(await sharedEngine()), provisional: true };
    const server = await startTestApp({}, { engine });
    const found = await runDoctor({ WAJAH_DATA_DIR: server.directory }, ['pad_pack', 'server']);
    const faults = found.filter(({ severity }) => severity !== 'good');
    expect(faults.map(({ id }) => id)).toEqual(['pad_pack', 'provisional_calibration']);
    expect(faults).toEqual(await server.context.findings.all());
    await server.close();
    expect(await runDoctor({ WAJAH_DATA_DIR: server.directory }, ['server'])).toHaveLength(2);
  });

  it.each([
    ['answers without findings', { status: '200', version: '0.0.9' }, 'another version (0.0.9;'],
    ['answers without a version', { status: '200' }, 'another version (unknown;'],
  ])('says to restart a server of another version, which %s', async (_, answer, said) => {
    const dataDir = soundDirectory();
    const owned = lockDataDirectory(dataDir);
    const server = createServer((_request, response) => response.end(JSON.stringify(answer)));
    server.listen(socketFile(dataDir));
    await once(server, 'listening');
    const found = await runDoctor({ WAJAH_DATA_DIR: dataDir }, ['server', 'contradictions']);
    server.close();
    owned.release();
    const faults = found.filter(({ severity }) => severity !== 'good');
    expect(faults).toMatchObject([{ id: 'server', severity: 'doubtful', remedy: 'restart it' }]);
    expect(faults[0]!.sentence).toContain(said);
  });

  it.each(rows)('finds %s, and says what to do', (_, section, row) => requireFinding(section, row));
});
