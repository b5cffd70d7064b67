import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace, type PersonName } from '../../packages/engine/test/drawn/drawn-face.ts';
import { newestSchema } from '../../packages/server/src/store/database/schema.ts';
import type { Session } from '../../packages/server/src/store/database/session.ts';
import { SqliteDatabase } from '../../packages/server/src/store/database/sqlite.ts';
import { tables } from '../../packages/server/src/store/database/tables.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite-store.ts';
import { newDatabase, noPostgres } from '../../packages/server/test/support/postgres.ts';
import { requireEverything } from '../../packages/server/test/support/released-contents.ts';
import {
  digestUpTo,
  parseReleasedRows,
  type ReleasedRows,
  releasedKey,
  rowsFolder,
  textOf,
  writeReleasedDatabase,
  writeReleasedFile,
} from '../../packages/server/test/support/released-schemas.ts';
import { openDatabaseStore } from '../../packages/server/test/support/store.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { columnsOf, rowsOf } from '../../packages/tools/src/store/rows.ts';
import { newClient, picture, post } from '../support/enrolling.ts';
import { type Settings, serve, wajah } from '../support/program.ts';

/** `npm run released:rows`: keeps the rows of the present schema in the repository. */
const keep = process.env['RELEASED_ROWS'] === '1';

const ofServer = {
  WAJAH_SECRET_KEY: releasedKey,
  WAJAH_KEEP_FACE_CROPS: 'true',
  WAJAH_COMPAT: 'compreface',
} as const;

/** base64; its crop is small. */
const smallFace = async (person: PersonName) =>
  (await drawnFace({ person, width: 240, height: 300 })).toString('base64');

/** Calls of a client and commands of an operator that leave rows in every table of people and programs. @returns an API token */
async function use(settings: Settings): Promise<string> {
  const server = await serve(settings);
  const acme = await newClient(settings, 'acme');
  const call = async (path: string, fields: object) => {
    const answer = await post(server.url, acme.token, path, { facegallery_id: 'acme@staff', ...fields });
    expect(['200', '415']).toContain(answer.status);
    return answer;
  };
  const command = async (line: string) => {
    const { code, out, err } = await wajah(settings, ...line.split(' '));
    expect(code, `${line}: ${err}`).toBe(0);
    return out.trim();
  };
  await call('facegallery/create-facegallery', {});
  await call('facegallery/create-facegallery', { facegallery_id: 'acme@empty' });
  await command('webhook create acme https://hooks.example/wajah');
  const people = { '3174001': 'Sri Rahayu', '3174002': "Budi Ma'ruf", '3174003': 'Citra' };
  const [ani, budi, citra] = await Promise.all((['ani', 'budi', 'citra'] as const).map(smallFace));
  for (const [index, [user_id, user_name]] of Object.entries(people).entries()) {
    await call('facegallery/enroll-face', {
      user_id,
      user_name,
      image: [ani, budi, citra][index],
      force_register: true,
    });
  }
  const erased = { facegallery_id: 'acme@staff', user_id: '3174003' };
  await post(server.url, acme.token, 'facegallery/delete-face', erased, 'DELETE');
  await call('facegallery/mark-different', { user_id: '3174001', other_user_id: '3174002' });
  const again = await picture('ani', true);
  for (const user_id of ['3174001', '3174002', 'nobody']) {
    await call('facegallery/verify-face', { user_id, image: again });
  }
  await call('facegallery/identify-face', { image: again });
  await call('facegallery/update-facegallery', { keep_unknown_hours: 720 });
  const stranger = { facegallery_id: 'acme@staff', image: await picture('citra') };
  const unknown = await post(server.url, acme.token, 'facegallery/identify-face', stranger);
  expect(unknown).toHaveProperty('unknown_id');
  await call('facegallery/set-expected', { people: [{ user_id: '3174003', user_name: 'Citra' }] });
  await call('facegallery/link-expected', { user_ids: ['3174003'], consent_reference: 'form-8' });
  await sessions(server.url, acme.token, again);
  const token = await command('token create acme --name door');
  const { token_id } = JSON.parse(await command('token create acme --name old --json')) as Record<
    string,
    string
  >;
  await command(`token revoke ${token_id}`);
  await command('gallery set-threshold acme acme@staff 0.6');
  await command('client set-quota acme --faces 7');
  await command('person update acme acme@staff 3174001 --consent form-7 --until 2126-01-01T00:00:00Z');
  await command('person suspend acme 3174002');
  const key = await command('token create acme --compreface recognition --gallery acme@staff');
  const examples = await fetch(`${server.url}/api/v1/recognition/faces`, { headers: { 'x-api-key': key } });
  expect(examples.status).toBe(200);
  await server.stop('SIGTERM');
  return token;
}

/** A session that is open, and one whose frames do not show the steps. */
async function sessions(url: string, token: string, image: string): Promise<void> {
  const call = async (path: string, body: object) => {
    const headers = { accesstoken: token, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = (await (await fetch(`${url}/liveness-api/${path}`, request)).json()) as {
      status: string;
      session_id: string;
      steps: string[];
    };
    expect(answer.status).toBe('200');
    return answer;
  };
  await call('create-session', {});
  const ofPerson = { facegallery_id: 'acme@staff', user_id: '3174001' };
  const { session_id, steps } = await call('create-session', ofPerson);
  await call('submit-session', { session_id, frames: steps.map((step) => ({ step, image })) });
}

/** Every row of the tables that are copied between stores, in the form that fits both databases. */
async function rowsIn(db: Session): Promise<ReleasedRows['rows']> {
  const found: [string, Record<string, string | number | { b: string }>][] = [];
  for (const table of tables) {
    const columns = await columnsOf(db, table);
    for await (const rows of rowsOf(db, table, columns)) {
      for (const row of rows) {
        const values = row.map((value) =>
          value instanceof Uint8Array ? { b: Buffer.from(value).toString('base64') } : value,
        );
        found.push([
          table.name,
          Object.fromEntries(
            columns.flatMap((column, i) => (values[i] === null ? [] : [[column, values[i]!]])),
          ),
        ]);
      }
    }
  }
  return found;
}

describe('rows that a server of the present schema wrote', () => {
  let rows: ReleasedRows;
  beforeAll(async () => {
    const dataDir = temporaryDirectory();
    const token = await use({ ...ofServer, WAJAH_DATA_DIR: dataDir });
    const db = new SqliteDatabase(join(dataDir, 'wajah.db'), undefined, 'read');
    const [sqlite, postgres] = [digestUpTo('sqlite', newestSchema), digestUpTo('postgres', newestSchema)];
    rows = { schema: newestSchema, digests: { sqlite, postgres }, token, rows: await rowsIn(db.shared) };
    db.close();
    if (keep) writeFileSync(new URL(`00${newestSchema}.jsonl`, rowsFolder), textOf(rows));
  });

  it('read in SQLite', async () => {
    const file = join(temporaryDirectory(), 'wajah.db');
    writeReleasedFile(file, parseReleasedRows(textOf(rows)));
    const store = openSqliteStore(file);
    await requireEverything(store, rows);
    await store.close();
  });

  it.skipIf(noPostgres)('read in PostgreSQL', async () => {
    const url = await newDatabase();
    await writeReleasedDatabase(url, parseReleasedRows(textOf(rows)));
    const store = await openDatabaseStore(url);
    await requireEverything(store, rows);
    await store.close();
  });
});
