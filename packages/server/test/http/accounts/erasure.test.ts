import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Endpoint, endpoints } from '@wajah/contract';
import { expect, it } from 'vitest';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { SqliteDatabase } from '../../../src/store/database/sqlite.ts';
import { callsRecorded } from '../../support/activity.ts';
import { filmOf } from '../../support/film.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { startTestApp, type TestClient } from '../../support/test-app.ts';

const user = { user_id: 'id-of-the-erased-person', user_name: 'Name Of The Erased Person' };

const settings = {
  WAJAH_SECRET_KEY: Buffer.alloc(32, 7).toString('hex'),
  // Drawn heads are no photographs.
  WAJAH_SPOOF_THRESHOLD: '1',
  WAJAH_UNCLEAR_SPOOF: 'accept',
  WAJAH_KEEP_FACE_CROPS: 'true',
};

const directory = temporaryDirectory();
const drawSteps = () => ['face front', 'face left', 'face front'] as const;
const server = await startTestApp(settings, {
  engine: await sharedEngine(),
  directory,
  drawSteps: () => [...drawSteps()],
});

/** Every row of every table, by table; bytes are hexadecimal. */
function rows(): Map<string, string[]> {
  const db = new SqliteDatabase(join(directory, 'wajah.db'), undefined, 'read');
  // Bytes are of another type in the driver's hands than in ours.
  const text = (value: unknown) =>
    value !== null && typeof value === 'object'
      ? Buffer.from(value as Uint8Array).toString('hex')
      : String(value);
  try {
    const names = db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
    const rowsOf = (name: string) =>
      db.all<object>(`SELECT * FROM ${name}`).map((row) => Object.values(row).map(text).join());
    return new Map(names.map(({ name }) => [name, rowsOf(name)]));
  } finally {
    db.close();
  }
}

/** Every byte that the store has on disk. */
const bytes = () =>
  Buffer.concat(
    readdirSync(directory)
      .filter((name) => name.startsWith('wajah.db'))
      .map((name) => readFileSync(join(directory, name))),
  );

/** A client with a person of whom everything is stored that the service stores. */
async function filled(trx: string): Promise<TestClient> {
  const client = await server.client();
  const film = await filmOf('ani');
  const call = async (endpoint: Endpoint, fields: object) =>
    (await client.call(endpoint, { trx_id: trx, ...fields })).body;
  const owner = { facegallery_id: client.gallery, user_id: user.user_id };
  const image = await film.frame('face front', 9);
  await call(endpoints.enrolFace, { ...owner, ...user, image });
  await call(endpoints.verifyFace, { ...owner, image: 'no picture' });
  const session = await call(endpoints.createLivenessSession, owner);
  const frames = await film.frames(session.steps);
  const judged = { session_id: session.session_id, frames };
  expect(await call(endpoints.submitLivenessSession, judged)).toMatchObject({ liveness: 'passed' });
  await call(endpoints.createLivenessSession, { ...owner, steps: 3 });
  await callsRecorded(server.context);
  return client;
}

/** Texts of 24 bytes, hexadecimal, from the middle of each sealed value of a person. */
function sealedParts(rows: Map<string, string[]>): Buffer[] {
  const tables = ['faces', 'face_crops', 'liveness_frames'];
  const texts = tables.flatMap((name) => rows.get(name)!.flatMap((row) => row.match(/[0-9a-f]{80,}/g) ?? []));
  expect(texts.length).toBeGreaterThanOrEqual(tables.length);
  return texts.map((text) => Buffer.from(text.slice(16, 64), 'hex'));
}

const counted = (rows: Map<string, string[]>, wanted: string) =>
  [...rows].flatMap(([table, all]) => (all.some((row) => row.includes(wanted)) ? [table] : []));

const left = (onDisk: Buffer, wanted: readonly (Buffer | string)[]) =>
  wanted.filter((one) => onDisk.includes(one)).map(String);

it.each([
  ['the person', endpoints.deleteFace],
  ['the gallery', endpoints.deleteGallery],
  ['the client', endpoints.deleteClient],
])('everything of a person is erased with %s', async (_, endpoint) => {
  const trx = `trx-of-the-erased-person-${endpoint.id}`;
  const markers = [...Object.values(user), trx];
  const client = await filled(trx);
  const before = rows();
  const parts = sealedParts(before);
  expect(left(bytes(), [...parts, ...markers])).toHaveLength(parts.length + 3);
  for (const marker of markers) expect(counted(before, marker)).not.toEqual([]);
  const owner = { facegallery_id: client.gallery, user_id: user.user_id };
  expect((await client.call(endpoint, { ...owner, trx_id: 'erasure' })).http).toBe(200);
  await callsRecorded(server.context);

  const after = rows();
  for (const part of parts) expect(counted(after, part.toString('hex'))).toEqual([]);
  for (const marker of Object.values(user)) {
    expect([marker, counted(after, marker)]).toEqual([marker, []]);
    expect(server.log()).not.toContain(marker);
  }
  // The trail keeps the trx_id of a person's calls, and nothing of a client.
  const ofClient = endpoint === endpoints.deleteClient;
  expect(counted(after, trx)).toEqual(ofClient ? [] : ['audit']);
  const gone = [...parts, ...Object.values(user), ...(ofClient ? [trx] : [])];
  // The log of the file is truncated once nobody reads it.
  await expect.poll(() => left(bytes(), gone)).toEqual([]);
});
