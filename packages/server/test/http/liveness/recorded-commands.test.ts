import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@wajah/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EvalFolder } from '../../../../../lab/src/data/eval-folder.ts';
import { presentationsOf } from '../../../../../lab/src/presentations/presentation.ts';
import { recordedGroups, recordedLights } from '../../../../../lab/src/recorded/recorded-sessions.ts';
import { openSessionService } from '../../../../../lab/src/sessions/service.ts';
import { hasPadFiles, openPadEngine } from '../../../../engine/test/support/pad-pack.ts';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { filmOf } from '../../support/film.ts';
import { newDatabase, storeKinds } from '../../support/postgres.ts';
import { runWajah as wajah } from '../../support/run-wajah.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { startTestApp, type TestApp, type TestClient } from '../../support/test-app.ts';

const film = await filmOf('ani');
/** Without PAD networks a session has no spoof score. */
const engine = hasPadFiles ? await openPadEngine() : await sharedEngine();
afterAll(() => (hasPadFiles ? engine.close() : undefined));

/** Submits a session and waits until it is recorded. */
async function record(server: TestApp, client: TestClient, device: string, open = {}): Promise<string> {
  const { body } = await client.call(endpoints.createLivenessSession, open);
  const frames = await film.frames(body.steps);
  const light_frames = body.light && (await film.lightFrames(body.light, 0.25));
  const submitted = { session_id: body.session_id, frames, light_frames, consent: true, device };
  await client.call(endpoints.submitLivenessSession, submitted);
  await server.context.recordings.settled();
  return body.session_id;
}

const steps = ['face front', 'face left', 'face front'] as const;
describe.each(storeKinds)('wajah sessions, beside a server with %s', (kind) => {
  const directory = temporaryDirectory();
  let env: Record<string, string>;
  let server: TestApp;
  let client: TestClient;
  let ids: string[];

  beforeAll(async () => {
    env = {
      WAJAH_DATA_DIR: directory,
      WAJAH_SECRET_KEY: Buffer.alloc(32, 5).toString('hex'),
      WAJAH_RECORD_SESSIONS: 'true',
      WAJAH_LIGHT_CHALLENGE: 'optional',
      WAJAH_SPOOF_THRESHOLD: '1',
      WAJAH_UNCLEAR_SPOOF: 'accept',
    };
    if (kind === 'PostgreSQL') env = { ...env, WAJAH_DATABASE_URL: await newDatabase() };
    server = await startTestApp(env, {
      engine,
      drawSteps: () => [...steps],
      directory,
    });
    client = await server.client();
    const owner = { facegallery_id: client.gallery, user_id: 'u1' };
    const image = await film.frame('face front', 1);
    await client.call(endpoints.enrolFace, { ...owner, user_name: 'U', image, force_register: true });
    ids = [
      await record(server, client, 'phone', owner),
      await record(server, client, 'webcam', { subject: 'Zoë', light: true }),
      await record(server, client, 'webcam'),
    ];
  });

  const sessions = (...args: string[]) => wajah(env, 'sessions', ...args);

  it('tells operators that sessions are recorded', async () => {
    const { body } = await client.call(endpoints.ready);
    const said = expect.stringMatching(/are recorded with their pictures \(WAJAH_RECORD_SESSIONS\)/);
    expect(body.notices).toContainEqual(said);
    expect((await wajah(env, 'doctor')).out).toEqual(said);
  });

  it('lists the sessions without pictures', async () => {
    const table = await sessions('list');
    expect(table.out).toMatch(/session_id +client_id +recorded +judged +spoof +frames +device +label/);
    const { out } = await sessions('list', '--json');
    const listed = JSON.parse(out) as Record<string, unknown>[];
    expect(listed.map((one) => one['session_id'])).toEqual(ids);
    expect(listed[0]).toMatchObject({ client_id: client.id, frames: 3, device: 'phone' });
    const person = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(listed.map((one) => one['person'])).toEqual([person, person, null]);
    expect((await sessions('list', '--client', 'nobody')).notes).toMatch(/No session is recorded/);
  });

  it('labels them, and evaluates and exports the labelled ones', async () => {
    const folder = join(temporaryDirectory(), 'out');
    expect(await sessions('evaluate')).toMatchObject({
      code: 1,
      notes: expect.stringMatching(/None of 3/),
    });
    expect((await sessions('label', ids[0]!, 'bona_fide')).code).toBe(0);
    expect((await sessions('label', ids[1]!, 'attack')).notes).toMatch(/needs --species: print, /);
    expect((await sessions('label', ids[1]!, 'attack', '--species', 'deepfake')).code).toBe(2);
    expect((await sessions('label', 'none', 'bona_fide')).notes).toMatch(/no session of this id/);
    const labelled = await sessions('label', ids[1]!, 'attack', '--species', 'print');
    expect(labelled.out).toBe(`${ids[1]}: attack print`);
    expect(JSON.parse((await sessions('list', '--unlabelled', '--json')).out)).toHaveLength(1);

    const { out } = await sessions('evaluate');
    expect(out).toMatch(/bona fide sessions not passed, for any reason +\d+\.\d % +[01] of 1/);
    expect(out).toMatch(/at the threshold 1\b/);
    if (hasPadFiles) {
      expect(out).toMatch(/APCER, print +100\.0 % +1 of 1/);
      expect((await sessions('evaluate', '--threshold', '0')).out).toMatch(/APCER, print +0\.0 % +0 of 1/);
    } else {
      expect(out).toMatch(
        /2 have no spoof score, because no PAD networks were installed or no step was judged/,
      );
    }

    const exported = await sessions('export', folder);
    expect(exported).toMatchObject({ code: 0, out: `Wrote 12 pictures of 2 sessions to ${folder}.` });
    expect((await sessions('export', folder)).notes).toMatch(/is not empty/);
    const manifest = JSON.parse(readFileSync(join(folder, 'pad', 'manifest.json'), 'utf8'));
    expect(manifest).toHaveLength(6);
    const entry = { session: ids[1], label: 'spoof', attack: 'print', split: 'test', framing: 'frame' };
    expect(manifest[3]).toMatchObject({ ...entry, collection: 'webcam', step: 'face front' });
    expect(manifest[0]).toMatchObject({ label: 'real', attack: null, collection: 'phone' });
    const [first] = await film.frames(['face front']);
    const file = join(folder, 'pad', manifest[0].file);
    expect(readFileSync(file).toString('base64')).toBe(first!.image);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const presentations = presentationsOf(new EvalFolder(folder), 'test');
    const cameras = presentations.map(({ species, collection }) => [species, collection].join(' '));
    expect(new Set(cameras)).toEqual(new Set([' phone', 'print webcam']));
    expect(readdirSync(join(folder, 'pad'))).toEqual([ids[0], ids[1], 'manifest.json']);
    const replayed = new EvalFolder(folder).entries('sessions', 'test');
    expect(replayed.map((one) => [one.file, one.steps, one.frames.length, one.light_frames.length])).toEqual([
      [ids[0], [...steps], 3, 0],
      [ids[1], [...steps], 3, 6],
    ]);
  });

  it('exports them so that evaluate sessions can run them again', async () => {
    const folder = join(temporaryDirectory(), 'again');
    expect((await sessions('export', folder)).code).toBe(0);
    const exported = new EvalFolder(folder);
    const service = await openSessionService(engine);
    const groups = await recordedGroups(service, exported, 'test', () => true);
    await service.close();
    expect(groups.map(({ name, kind, outcomes }) => [name, kind, outcomes.length])).toEqual([
      ['recorded, bona fide', 'honest', 1],
      ['recorded print', 'attack', 1],
    ]);
    // Drawn heads are no photographs, and are judged here with the threshold of the pack.
    const reasons = groups.flatMap(({ outcomes }) => outcomes.flatMap((one) => one.reasons));
    expect(reasons.filter((reason) => reason !== 'spoof')).toEqual([]);
    const [lights] = await recordedLights(engine, exported, 'test');
    expect(lights?.figures).toEqual([
      expect.objectContaining({ what: 'recorded print', value: '1 answered' }),
    ]);
  });

  it('needs the key that they are sealed under', async () => {
    const wrong = { ...env, WAJAH_SECRET_KEY: Buffer.alloc(32, 6).toString('hex') };
    expect(await wajah(wrong, 'sessions', 'list')).toMatchObject({ code: 1, out: '' });
  });

  it('erases them by person, by id, by client, and all', async () => {
    expect((await sessions('erase')).notes).toMatch(/Name --subject, --session or --client/);
    expect((await sessions('erase', '--all')).notes).toMatch(/Nothing was erased/);
    expect((await sessions('erase', '--subject', 'u2', '--yes')).out).toBe('Erased 0 recorded sessions.');
    expect((await sessions('erase', '--subject', 'u1', '--yes')).out).toBe('Erased 1 recorded sessions.');
    // The same name in another normal form of Unicode.
    expect((await sessions('erase', '--subject', 'Zoe\u0308', '--yes')).out).toMatch(/Erased 1 /);
    expect((await sessions('erase', '--session', ids[2]!, '--yes')).out).toMatch(/Erased 1 /);
    await record(server, client, 'phone');
    expect((await sessions('erase', '--client', 'nobody', '--yes')).out).toMatch(/Erased 0 /);
    expect((await sessions('erase', '--client', client.id, '--yes')).out).toMatch(/Erased 1 /);
    expect((await sessions('erase', '--all', '--yes')).out).toMatch(/Erased 0 /);
    expect((await sessions('list')).notes).toMatch(/No session is recorded/);
  });
});
