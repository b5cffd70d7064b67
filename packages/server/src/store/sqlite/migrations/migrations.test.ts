import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allFaces, face, openStore } from '../../../../test/support/store.ts';
import { temporaryDirectory } from '../../../../test/support/temporary.ts';
import { SqliteDatabase } from '../connection/database.ts';
import { migrate, migrations } from '../migrate.ts';

const earlier = migrations.slice(0, -1).map(({ number, name }) => ({ number, name }));

it('numbers migrations from 1 without gaps', () => {
  expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, i) => i + 1));
});

it.each(earlier)('upgrades schema $number ($name) and keeps its data', async ({ number }) => {
  const directory = temporaryDirectory();
  const db = new SqliteDatabase(join(directory, 'wajah.db'));
  migrate(db, migrations.slice(0, number));
  fill(db);
  db.close();

  const store = openStore(directory);
  const gallery = await store.galleries.get('alice', 'old');
  expect(gallery).toMatchObject({ id: 5, version: 3, faces: 2, embeddingSpec: 'c', createdAt: new Date(7) });
  expect(gallery).toMatchObject({ threshold: null, curve: null });
  expect(Buffer.from(gallery!.wrappedKey).toString('hex')).toBe('0102');
  expect((await store.clients.get('alice'))?.used).toEqual({ hits: 4, faces: 2, galleries: 1 });
  const faces = await allFaces(store, 5);
  expect(faces?.faces.map((f) => [f.userId, f.userName, Buffer.from(f.template).toString(), f.seq])).toEqual([
    ['u1', 'One', 'first', 2],
    ['u2', 'Two', 'second', 3],
  ]);
  expect(await store.tokens.find('d')).toMatchObject({ id: 't', clientId: 'alice' });
  expect(await store.tokens.isJwtRevoked('j')).toBe(true);
  expect(await store.meta.get('k')).toBe('v');
  expect(await store.audit.list({ limit: 9 })).toMatchObject([{ event: 'e', facts: { n: 1 }, link: null }]);

  expect(await store.faces.enrol(5, face('u3'), false)).toBe(4);
  expect(await store.galleries.updateSettings('alice', 'old', { threshold: 0.5 })).toBe(true);
  expect(await store.galleries.create('alice', 'next', () => Buffer.alloc(1))).toMatchObject({ id: 6 });
});

/** What the first version could write. */
function fill(db: SqliteDatabase): void {
  db.script(`
    INSERT INTO clients (client_id, password_hash, created_at, registered_at, quota_hits, quota_faces, quota_galleries,
      used_hits) VALUES ('alice', 'hash', 6, 6, -1, -1, -1, 4);
    INSERT INTO galleries (id, client_id, gallery_id, contract, version, faces, created_at)
      VALUES (5, 'alice', 'old', 'c', 3, 2, 7);
    INSERT INTO gallery_keys VALUES (5, x'0102');
    INSERT INTO faces (gallery, user_id, user_name, template, seq, created_at, updated_at)
      VALUES (5, 'u1', 'One', CAST('first' AS BLOB), 2, 7, 8), (5, 'u2', 'Two', CAST('second' AS BLOB), 3, 7, 9);
    INSERT INTO api_tokens (id, client_id, name, digest, created_at, expires_at, revoked_at)
      VALUES ('t', 'alice', 'door', 'd', 6, NULL, NULL);
    INSERT INTO revoked_jwts VALUES ('j', 99999999999999);
    INSERT INTO meta VALUES ('k', 'v');
    INSERT INTO audit (at, event, client_id, trx_id, facts) VALUES (6, 'e', 'alice', NULL, '{"n":1}');
  `);
}
