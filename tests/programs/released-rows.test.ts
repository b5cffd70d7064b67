import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawnFace, type PersonName } from '../../packages/engine/test/drawn/drawn-face.ts';
import { digestOf } from '../../packages/server/src/security/tokens/api-tokens.ts';
import { migrations, newestSchema } from '../../packages/server/src/store/database/schema.ts';
import { SqliteDatabase } from '../../packages/server/src/store/database/sqlite.ts';
import { openPostgresStore } from '../../packages/server/src/store/postgres-store.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite-store.ts';
import { newDatabase, noPostgres, postgresPrograms } from '../../packages/server/test/support/postgres.ts';
import {
  digestOfMigrations,
  type Kind,
  parseReleasedRows,
  releasedKey,
  rowsFolder,
  writeReleasedDatabase,
  writeReleasedFile,
} from '../../packages/server/test/support/released-schemas.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { newClient, picture, post } from '../support/enrolling.ts';
import { type Settings, serve, wajah } from '../support/program.ts';

/** `npm run released:rows`: keeps the rows of the present schemas in the repository, unless it has them. */
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
  await sessions(server.url, acme.token, again);
  const token = await command('token create acme --name door');
  const { id } = JSON.parse(await command('token create acme --name old --json')) as { id: string };
  await command(`token revoke ${id}`);
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

/** Everything that a database holds, tables included. */
function dumpOfFile(file: string): string {
  const db = new SqliteDatabase(file, undefined, true);
  const text = (value: unknown) => {
    if (value === null) return 'NULL';
    if (value instanceof ArrayBuffer || value instanceof Uint8Array)
      return `x'${Buffer.from(value as Uint8Array).toString('hex')}'`;
    return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
  };
  const rowsOf = (name: string) =>
    db
      .all<Record<string, unknown>>(`SELECT * FROM ${name}`)
      .map((row) => `INSERT INTO ${name} VALUES (${Object.values(row).map(text).join(', ')});`);
  try {
    const made = db.all<{ type: string; name: string; sql: string }>(
      "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    );
    const tables = made.filter(({ type }) => type === 'table');
    const others = made.filter(({ type }) => type !== 'table');
    const rows = tables.flatMap(({ name }) => rowsOf(name));
    const statements = [...tables.map(({ sql }) => sql), ...others.map(({ sql }) => sql)];
    const layout = statements.map((sql) => `${sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ')};`);
    return [...layout, ...rows, 'DELETE FROM sqlite_sequence;', ...rowsOf('sqlite_sequence'), ''].join('\n');
  } finally {
    db.close();
  }
}

function dumpOfDatabase(url: string): string {
  const options = ['--no-owner', '--no-privileges', '--inserts', '--load-via-partition-root'];
  const dump = execFileSync(join(postgresPrograms ?? '', 'pg_dump'), [...options, url], { encoding: 'utf8' });
  const kept = dump.replace(/^(--|\\|SET |SELECT pg_catalog.set_config).*$/gm, '').replaceAll('public.', '');
  return kept.replace(/\n{2,}/g, '\n');
}

function finish(kind: Kind, token: string, sql: string): string {
  const schema = newestSchema(kind);
  const head = `-- ${kind} schema ${schema}, written by its server\n-- migrations ${digestOfMigrations(migrations[kind])}\n-- api_token ${token}\n`;
  const file = new URL(`${String(schema).padStart(4, '0')}.sql`, rowsFolder(kind));
  if (keep && !existsSync(file)) writeFileSync(file, head + sql);
  return head + sql;
}

describe.runIf(keep)('rows of the present schema', () => {
  it('of SQLite are those that a server wrote', async () => {
    const dataDir = temporaryDirectory();
    const token = await use({ ...ofServer, WAJAH_DATA_DIR: dataDir });
    const text = finish('sqlite', token, dumpOfFile(join(dataDir, 'wajah.db')));
    const copy = join(temporaryDirectory(), 'wajah.db');
    writeReleasedFile(copy, parseReleasedRows('0099.sql', text));
    const store = openSqliteStore(copy);
    expect(await store.tokens.find(digestOf(token))).toMatchObject({ clientId: 'acme' });
    await store.close();
  });

  it.skipIf(noPostgres)('of PostgreSQL are those that a server wrote', async () => {
    const url = await newDatabase();
    const dataDir = temporaryDirectory();
    const token = await use({ ...ofServer, WAJAH_DATA_DIR: dataDir, WAJAH_DATABASE_URL: url });
    const text = finish('postgres', token, dumpOfDatabase(url));
    const copy = await newDatabase();
    await writeReleasedDatabase(copy, parseReleasedRows('0099.sql', text));
    const store = await openPostgresStore({ url: copy });
    expect(await store.tokens.find(digestOf(token))).toMatchObject({ clientId: 'acme' });
    await store.close();
  });
});
