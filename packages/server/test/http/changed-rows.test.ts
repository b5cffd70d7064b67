// Every column of every table, changed by one statement of somebody else: the others are served, and it is named or healed.

import { randomUUID } from 'node:crypto';
import { endpoints, operatorEndpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/errors.ts';
import type { Session } from '../../src/store/database/session.ts';
import { SqliteDatabase } from '../../src/store/database/sqlite.ts';
import { localMetaKeys, tables } from '../../src/store/database/tables.ts';
import type { Table } from '../../src/store/database/types.ts';
import { openConnections } from '../../src/store/postgres-store.ts';
import { activityStore } from '../support/activity.ts';
import { addExpected } from '../support/expected-rows.ts';
import { startOnStore } from '../support/on-store.ts';
import { addApp, addState } from '../support/openid-rows.ts';
import { patientStatementMs } from '../support/patient.ts';
import { storeKinds } from '../support/postgres.ts';
import { drawPictures, startTestApp, type TestApp, type TestClient } from '../support/test-app.ts';
import { addUnknown } from '../support/unknown-rows.ts';
import { webhookStore } from '../support/webhooks.ts';

type Env = Awaited<ReturnType<typeof startOnStore>>['env'];

/** Works on the database as an administrator does. */
async function administer<T>(env: Env, work: (db: Session) => Promise<T>): Promise<T> {
  const url = env['WAJAH_DATABASE_URL'];
  if (url === undefined) {
    const db = new SqliteDatabase(`${env['WAJAH_DATA_DIR']}/wajah.db`);
    return work(db.shared).finally(() => db.close());
  }
  const db = openConnections({ url, timeoutMs: patientStatementMs });
  return work(db).finally(() => db.close());
}

interface Column {
  readonly name: string;
  readonly type: string;
  /** 1: it may be null. */
  readonly nullable: number;
}

function columnsOf(db: Session, table: string): Promise<Column[]> {
  return db.dialect.kind === 'sqlite'
    ? db.all(`SELECT name, type, 1 - "notnull" AS nullable FROM pragma_table_info('${table}')`)
    : db.all(`SELECT column_name AS name, data_type AS type, CASE is_nullable WHEN 'YES' THEN 1 ELSE 0 END AS nullable
        FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = '${table}'`);
}

/** Of another type: both databases refuse it. */
const ofOtherType = ({ type }: Column) =>
  /int|real|double/i.test(type) ? "'x'" : /text/i.test(type) ? "x'ff'" : '7';

/** What is off, and missing where that is allowed. */
function valuesOf({ type, nullable }: Column, kind: Session['dialect']['kind']): string[] {
  const isText = /text/i.test(type);
  const bytes = kind === 'sqlite' ? "x'00'" : "'\\x00'";
  const off = /int/i.test(type)
    ? ['-1', '9007199254740993']
    : [/real|double/i.test(type) ? '-1' : isText ? "'x'" : bytes];
  return nullable === 1 ? [...off, 'NULL'] : off;
}

/** Tables that an identification reads. */
const isMatched = ({ name, owner }: Table) =>
  owner === 'gallery' || name === 'galleries' || name === 'clients';

/**
 * What becomes of a value that the database takes: `named` by `wajah doctor` or `wajah gallery check`, `healed`, or `free`:
 * the program itself may write such a one, or nobody is misled by it. A new column needs an answer.
 */
const answers: Readonly<Record<string, Readonly<Record<string, 'named' | 'healed' | 'free'>>>> = {
  clients: {
    client_id: 'free',
    password_hash: 'free',
    created_at: 'named',
    registered_at: 'named',
    quota_hits: 'named',
    quota_faces: 'named',
    quota_galleries: 'named',
    used_hits: 'free',
    operator: 'named',
    tokens_since: 'named',
  },
  galleries: {
    id: 'free',
    client_id: 'free',
    gallery_id: 'free',
    embedding_spec: 'named',
    version: 'named',
    faces: 'healed',
    created_at: 'named',
    threshold: 'named',
    curve: 'named',
    require_liveness: 'named',
    former_spec: 'free',
    former_until: 'free',
    cohort_mode: 'free',
    require_consent: 'named',
    retention_days: 'named',
    keep_crops: 'named',
    keep_unknown_hours: 'named',
  },
  gallery_keys: { gallery: 'free', wrapped_key: 'named' },
  gallery_cohorts: { gallery: 'free', version: 'free', people: 'free', sealed: 'free' },
  faces: {
    id: 'free',
    gallery: 'free',
    user_id: 'named',
    user_name: 'free',
    template: 'named',
    seq: 'free',
    created_at: 'named',
    updated_at: 'named',
  },
  face_crops: { id: 'free', gallery: 'free', user_id: 'named', place: 'free', crop: 'named' },
  different_people: { id: 'free', gallery: 'free', user_a: 'free', user_b: 'free' },
  person_terms: {
    id: 'free',
    gallery: 'free',
    user_id: 'free',
    consent_reference: 'free',
    consent_purpose: 'free',
    consent_given_at: 'named',
    consent_until: 'named',
    expires_at: 'named',
    suspended_at: 'named',
  },
  face_pictures: { id: 'free', gallery: 'free', user_id: 'free', place: 'healed', picture_id: 'free' },
  named_subjects: { id: 'free', gallery: 'free', user_id: 'free' },
  gallery_scores: {
    id: 'free',
    gallery: 'free',
    day: 'named',
    comparison: 'named',
    bin: 'named',
    count: 'named',
  },
  api_tokens: {
    id: 'free',
    client_id: 'free',
    name: 'free',
    digest: 'free',
    created_at: 'named',
    expires_at: 'named',
    revoked_at: 'named',
    scopes: 'named',
    last_used_at: 'named',
    service: 'free',
    gallery_id: 'free',
  },
  webhook_endpoints: {
    id: 'free',
    client_id: 'free',
    url: 'free',
    types: 'free',
    secret: 'free',
    enabled: 'named',
    disabled_reason: 'free',
    created_at: 'named',
    dropped: 'named',
  },
  webhook_deliveries: {
    id: 'named',
    endpoint: 'free',
    client_id: 'free',
    type: 'free',
    event_id: 'free',
    gallery_id: 'free',
    user_id: 'free',
    payload: 'free',
    created_at: 'named',
    state: 'free',
    attempts: 'named',
    next_at: 'named',
    error: 'free',
  },
  unknown_faces: {
    id: 'free',
    gallery: 'free',
    unknown_id: 'free',
    template: 'free',
    embedding_spec: 'free',
    crop: 'free',
    first_seen_at: 'named',
    last_seen_at: 'named',
    seen: 'named',
  },
  expected_people: { id: 'free', gallery: 'free', user_id: 'free', user_name: 'free' },
  expected_links: {
    id: 'free',
    gallery: 'free',
    user_id: 'free',
    session_id: 'free',
    expires_at: 'named',
    consent_reference: 'free',
    consent_purpose: 'free',
    consent_given_at: 'named',
    consent_until: 'named',
    failed: 'free',
  },
  openid_apps: {
    id: 'free',
    client_id: 'free',
    gallery_id: 'free',
    redirect_uris: 'named',
    secret: 'free',
    identify: 'named',
    id_token_alg: 'named',
    created_at: 'named',
  },
  openid_states: {
    id: 'free',
    client_id: 'free',
    app: 'free',
    gallery_id: 'free',
    user_id: 'free',
    grant_id: 'free',
    payload: 'free',
    expires_at: 'named',
    consumed_at: 'named',
  },
  liveness_sessions: {
    id: 'free',
    client_id: 'free',
    steps: 'named',
    nonce: 'free',
    gallery_id: 'free',
    user_id: 'free',
    created_at: 'named',
    expires_at: 'named',
    claimed_at: 'named',
    template: 'free',
    template_until: 'free',
    waits: 'named',
    secret: 'free',
    redirect_url: 'free',
    keep_frame: 'named',
    min_face: 'named',
    frame: 'free',
    reasons: 'named',
    subject: 'free',
    passed: 'named',
  },
  liveness_frames: {
    id: 'named',
    client_id: 'free',
    session: 'free',
    gallery_id: 'free',
    user_id: 'free',
    sent_at: 'named',
    frames: 'named',
    shapes: 'free',
  },
  call_counts: {
    client_id: 'free',
    day: 'named',
    route: 'free',
    status: 'free',
    count: 'named',
  },
  refused_calls: {
    id: 'named',
    client_id: 'free',
    at: 'named',
    route: 'free',
    status: 'free',
    detail: 'free',
    error: 'free',
    params: 'named',
    trx_id: 'free',
    gallery_id: 'free',
    user_id: 'free',
    similarity: 'free',
    spoof_score: 'free',
  },
};

/** Of the installation: their rows are of no client, and have tests of their own here, in `audit.test.ts`, `packs-in-store.test.ts` and `reseal.test.ts`. */
const ofInstallation = [
  'revoked_jwts',
  'meta',
  'audit',
  'audit_ends',
  'model_packs',
  'model_pack_files',
  'openid_keys',
];

const pictures = await drawPictures();
const at = new Date();
const later = new Date(Date.now() + 3_600_000);

interface Filled {
  readonly client: TestClient;
  readonly gallery: number;
}

interface Enrolled {
  /** Of ani and budi. */
  readonly templates: readonly Float32Array[];
  readonly embeddingSpec: string;
}

/** A client with rows in every table. */
async function fill(server: TestApp, { templates, embeddingSpec }: Enrolled): Promise<Filled> {
  const { store, vault } = server.context;
  const client = await server.client();
  const gallery = (await store.galleries.get(client.id, client.gallery))!;
  const { id, clientId, galleryId } = { ...gallery };
  const sealer = vault.gallery(gallery);
  const crop = sealer.sealCrop('ani', {
    jpeg: new Uint8Array([1, 2, 3]),
    box: { x: 0, y: 0, width: 1, height: 1 },
  });
  // Dewi stays without a face: a list of people who all have one is erased.
  for (const userId of ['ani', 'dewi']) await addExpected(store, id, userId);
  for (const [i, userId] of ['ani', 'budi'].entries()) {
    const picture = { id: randomUUID(), place: 0 };
    const sealed = { template: sealer.seal(userId, templates[i]!), embeddingSpec, picture };
    await store.faces.put(id, { userId, userName: userId, ...sealed, ...(i === 0 && { crop }) }, false);
  }
  const owner = { clientId, galleryId, userId: 'ani' };
  await store.people.update(id, 'ani', {
    expiresAt: later,
    consent: { reference: 'r', purpose: 'p', givenAt: at, until: later },
  });
  const session = { id: randomUUID(), ...owner };
  const more = { steps: ['front'], nonce: 'n', subject: Buffer.alloc(32), createdAt: at, expiresAt: later };
  await store.sessions.create({
    ...session,
    ...more,
    secret: Buffer.from(session.id),
    keepFrame: true,
    minFace: 60,
  });
  await store.sessions.markFailed(clientId, session.id);
  await store.frames.record(session, { frames: 1, shapes: Buffer.alloc(40) }, at);
  const refused = {
    at: new Date(Date.now() + 1000),
    route: 'r',
    status: '400',
    error: null,
    params: {},
    detail: null,
  };
  const scores = { similarity: 0.5, spoofScore: 0.5, trxId: 't' };
  const day = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  await activityStore(store).add(
    [{ clientId, day, route: 'r', status: '200', count: 1 }],
    [{ ...refused, ...owner, ...scores }],
  );
  await store.scores.add([
    {
      gallery: id,
      day,
      comparison: 'verify',
      bin: 50,
      count: 1,
    },
  ]);
  const endpoint = {
    id: randomUUID(),
    clientId,
    url: 'https://localhost/',
    types: null,
    secret: Buffer.alloc(60),
  };
  await webhookStore(store).add({ ...endpoint, createdAt: at }, 1);
  const event = { id: randomUUID(), type: 'face.verified', at, payload: '{}', limit: 10 } as const;
  await webhookStore(store).append([{ ...event, ...owner }]);
  await webhookStore(store).disable(endpoint.id, 'of a test');
  const app = randomUUID();
  await addApp(store, { id: app, clientId, galleryId, secret: Buffer.alloc(60) });
  await addState(store, { id: randomUUID(), app, ...owner });
  const token = { id: randomUUID(), clientId, name: 'n', scopes: [], createdAt: at, expiresAt: later };
  await store.tokens.add({ ...token, digest: token.id });
  await addUnknown(store, gallery, { embeddingSpec });
  await store.subjects.add(id, 'candra');
  await store.differentPeople.mark(id, ['ani', 'budi']);
  await store.galleries.storeCohort(id, { version: 1, people: 2, sealed: Buffer.alloc(60) });
  return { client, gallery: id };
}

/** SQL condition on the rows of a client. */
function rowsOf({ name, owner, person }: Table, { client, gallery }: Filled): string {
  const of = owner === 'gallery' ? `gallery = ${gallery}` : `client_id = '${client.id}'`;
  const [whom] = person ?? [];
  if (whom === undefined) return of;
  return name === 'named_subjects' ? `${of} AND ${whom} = 'candra'` : `${of} AND ${whom} = 'ani'`;
}

interface Change {
  readonly place: string;
  readonly statement: string;
  readonly filled: Filled;
  readonly table: Table;
  /** Whether no value of the program can be so: not where it is absent, or a number that others have. */
  readonly isOff: boolean;
}

describe.each(storeKinds)('one statement on %s', (kind) => {
  it('stops nobody else, gets no 500, and is named or healed, whatever the column', {
    timeout: 1_200_000,
  }, async () => {
    const { server, env } = await startOnStore(kind, { WAJAH_KEEP_FACE_CROPS: 'true' });
    const healthy = await server.client();
    await healthy.enrol('ani', pictures.ani);
    await healthy.enrol('budi', pictures.budi);
    const { store, vault } = server.context;
    const model = (await store.galleries.get(healthy.id, healthy.gallery))!;
    const faces = await Promise.all(['ani', 'budi'].map((userId) => store.faces.get(model.id, userId)));
    const templates = faces.map((face) => vault.gallery(model).open(face!.userId, face!.template));
    const enrolled = { templates, embeddingSpec: faces[0]!.embeddingSpec };

    const changes: Change[] = [];
    await fill(server, enrolled);
    const columns = await administer(env, async (db) => {
      const found: [Table, string, string][] = [];
      for (const table of tables.filter(({ name }) => !ofInstallation.includes(name)))
        for (const column of await columnsOf(db, table.name)) {
          const { name } = column;
          if (db.dialect.kind === 'sqlite') {
            const refused = db.run(`UPDATE ${table.name} SET ${name} = ${ofOtherType(column)}`);
            await expect(refused, `${table.name}.${name}`).rejects.toThrow();
          }
          for (const value of valuesOf(column, db.dialect.kind)) found.push([table, name, value]);
        }
      return found;
    });
    for (const [table, column, value] of columns) {
      expect([table.name, column, answers[table.name]?.[column]]).toEqual([
        table.name,
        column,
        expect.any(String),
      ]);
      const filled = await fill(server, enrolled);
      const statement = `UPDATE ${table.name} SET ${column} = ${value} WHERE ${rowsOf(table, filled)}`;
      const isOff = value !== 'NULL' && (value !== '-1' || column === 'threshold');
      changes.push({ place: `${table.name}.${column}`, statement, filled, table, isOff });
    }
    for (const table of tables.filter(({ name }) => !ofInstallation.includes(name))) {
      const filled = await fill(server, enrolled);
      changes.push({
        place: table.name,
        statement: `DELETE FROM ${table.name} WHERE ${rowsOf(table, filled)}`,
        filled,
        table,
        isOff: false,
      });
    }
    await server.close();

    const taken: Change[] = [];
    await administer(env, async (db) => {
      for (const change of changes) {
        const changed = await db.run(change.statement).catch(() => null);
        if (changed === null) continue;
        expect([change.statement, changed]).toEqual([change.statement, expect.any(Number)]);
        expect(changed, change.statement).toBeGreaterThan(0);
        taken.push(change);
      }
    });

    const restarted = await startTestApp(env, { directory: env['WAJAH_DATA_DIR']! });
    const call = (endpoint: (typeof endpoints)['identifyFace' | 'verifyFace'], fields: object) =>
      restarted.call(healthy.token, endpoint, {
        facegallery_id: healthy.gallery,
        image: pictures.aniAgain,
        ...fields,
      });
    expect((await call(endpoints.identifyFace, {})).body).toMatchObject({ return: [{ user_id: 'ani' }] });
    expect((await call(endpoints.verifyFace, { user_id: 'ani' })).body).toMatchObject({ verified: true });

    const wrong: unknown[] = [];
    for (const { statement, filled, table } of taken) {
      const { token, gallery } = filled.client;
      const inGallery = { facegallery_id: gallery };
      for (const [endpoint, fields] of [
        ...(isMatched(table)
          ? [[endpoints.identifyFace, { ...inGallery, image: pictures.aniAgain }] as const]
          : []),
        [endpoints.listFaces, { ...inGallery, details: true }],
        [endpoints.describeFace, { ...inGallery, user_id: 'ani' }],
        [endpoints.describeGalleries, {}],
        [endpoints.getCounters, {}],
        [endpoints.getActivity, {}],
        [endpoints.listRefusals, {}],
        [endpoints.exportPerson, { user_id: 'ani' }],
        [endpoints.getFacePictures, { ...inGallery, user_id: 'ani' }],
        [endpoints.getGalleryScores, inGallery],
        [endpoints.listApiTokens, {}],
        [endpoints.listWebhooks, {}],
      ] as const) {
        const answer = await restarted.call(token, endpoint, fields);
        if (answer.http >= 500) wrong.push([statement, endpoint.id, answer.http]);
      }
    }
    expect(wrong).toEqual([]);

    const named = (await restarted.context.store.damage.find()).map(({ place }) => place);
    const { facegalleries } = await restarted.operate(operatorEndpoints.checkGalleries, {});
    const checked = new Set(facegalleries.map(({ client_id }: { client_id: string }) => client_id));
    const unnamed = taken.filter(({ place, filled, table, isOff }) => {
      const answer = answers[table.name]?.[place.split('.')[1] ?? ''];
      return isOff && answer === 'named' && !named.includes(place) && !checked.has(filled.client.id);
    });
    expect([...new Set(unnamed.map(({ place }) => place))]).toEqual([]);
    for (const { filled, place } of taken.filter(({ place }) => place === 'galleries.faces')) {
      const row = await restarted.context.store.galleries.get(filled.client.id, filled.client.gallery);
      expect([place, row?.faces]).toEqual([place, 2]);
    }
    const { body } = await restarted.call(undefined, endpoints.ready);
    expect(body.notices.join()).toMatch(/rows of the database cannot be read/);
    expect(restarted.log()).toContain('a row of the database cannot be read');
  });

  it('on a value of the installation is refused by name, or the server starts', {
    timeout: 600_000,
  }, async () => {
    const { server, env } = await startOnStore(kind);
    await server.context.store.meta.set('calibration', '{}');
    await server.close();
    const keys = await administer(env, (db) =>
      db.all<{ key: string; value: string }>('SELECT key, value FROM meta'),
    );
    expect(keys.map(({ key }) => key)).toContain('calibration');
    for (const { key, value } of keys.filter((row) => row.key !== localMetaKeys.writeTest)) {
      const set = (to: string) =>
        administer(env, (db) => db.run('UPDATE meta SET value = $1 WHERE key = $2', to, key));
      await set('x');
      const app = await startTestApp(env, { directory: env['WAJAH_DATA_DIR']! }).catch(
        (error: unknown) => error,
      );
      if (app instanceof Error) expect(app, `${key}: ${app.stack}`).toBeInstanceOf(OperatorError);
      else await (app as TestApp).close();
      await set(value);
    }
  });
});
