import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { describeStores } from '../../../test/store/kinds.ts';
import { auditEntry, chain } from '../../../test/support/audit.ts';
import { newDatabase, noPostgres } from '../../../test/support/postgres.ts';
import { runWajah } from '../../../test/support/run-wajah.ts';
import { change, soundDirectory } from '../../../test/support/sound-directory.ts';
import { newGallery, openDatabaseStore, openStore, withConnection } from '../../../test/support/store.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { createAuditChain, openAuditChain } from '../../security/audit-chain.ts';
import { SqliteDatabase } from '../../store/database/sqlite.ts';
import type { Store } from '../../store/ports/store.ts';
import { createTrailCheck } from './check.ts';
import { checkTrail } from './trail.ts';

const facts = { facegallery_id: 'alice@trial', a: 0.1, b: true };

/** What a check of the whole trail finds. */
async function verified({ audit }: Store, key = chain) {
  const { head, anchor } = await audit.ends();
  const check = createTrailCheck(anchor, key);
  for (const record of await audit.read(anchor.number, 1000)) check.add(record);
  return check.end(head);
}

const master = randomBytes(32);

/** What `wajah audit verify` says. */
async function faultOf(store: Store): Promise<string | null> {
  return (await checkTrail({ dataDir: '', secretKey: master, secretKeySource: '' }, store)).fault;
}

/** As somebody does who has the database and no key. */
function forge(store: Store, statements: readonly string[]): Promise<void> {
  return withConnection(store, async (db) => {
    for (const sql of statements) await db.run(sql);
  });
}

async function append({ audit }: Store, count: number, given = {}) {
  for (let i = 0; i < count; i++) await audit.append([auditEntry(given)], chain);
}

/** As somebody does who has the file and no key. */
function changeStore(directory: string, sql: string): void {
  const intruder = new SqliteDatabase(`${directory}/wajah.db`);
  intruder.script(sql);
  intruder.close();
}

describeStores('the audit trail', (open) => {
  it('is a chain of records, listed newest first', async () => {
    const store = await open();
    await newGallery(store);
    const entries = [1, 2, 3].map((n) => auditEntry({ clientId: 'alice', trxId: `t-${n}`, facts }));
    const links = await store.audit.append(entries, chain);
    expect(links.map(({ number }) => number)).toEqual([1, 2, 3]);
    await append(store, 1, { event: 'other' });
    const listed = await store.audit.list({ limit: 2, clientId: 'alice' });
    expect(listed).toMatchObject([
      { ...entries[2], link: { number: 3 } },
      { ...entries[1], link: { number: 2 } },
    ]);
    expect(await store.audit.list({ limit: 9, before: listed[1]!.id })).toMatchObject([{ trxId: 't-1' }]);
    expect(await store.audit.list({ limit: 9, event: 'other' })).toHaveLength(1);
    expect(await store.audit.list({ limit: 9, since: new Date(Date.now() + 60_000) })).toEqual([]);
    expect(await verified(store)).toEqual({ records: 4, erased: 0, first: 1, last: 4, fault: null });
    const other = await verified(store, createAuditChain(Buffer.alloc(32, 8)));
    expect(other.fault).toMatch(/record 1: its seal/);
  });

  it.each(['unregister', 'remove'] as const)('names no client after its %s, and verifies', async (way) => {
    const store = await open();
    await newGallery(store);
    await newGallery(store, 'bob');
    await append(store, 3, { clientId: 'alice', trxId: 't-1', facts });
    await append(store, 1, { clientId: 'bob', trxId: 't-2', facts: { n: 1 } });
    await store.clients[way]('alice');
    // Of a call that was under way during the erasure.
    await append(store, 1, { clientId: 'alice', trxId: 't-1', facts });
    const records = await store.audit.list({ limit: 10 });
    expect(records).toHaveLength(5);
    expect(JSON.stringify(records)).not.toMatch(/alice|t-1/);
    expect(records[1]).toMatchObject({ clientId: 'bob', trxId: 't-2', facts: { n: 1 } });
    expect(await verified(store)).toMatchObject({ records: 5, erased: 3, fault: null });
  });

  it('begins behind the anchor after older records are pruned', async () => {
    const store = await open();
    for (const at of [5, 6, 7, 6, 8]) await append(store, 1, { at: new Date(at) });
    expect(await store.audit.prune(new Date(7), chain)).toBe(2);
    expect(await verified(store)).toMatchObject({ records: 3, first: 3, fault: null });
    expect(await store.audit.prune(new Date(99), chain)).toBe(3);
    await append(store, 1);
    expect(await verified(store)).toMatchObject({ records: 1, first: 6, last: 6, fault: null });
  });
});

/** A copy of the newest record, with another number. */
const forged = (
  number: number | string,
) => `INSERT INTO audit (at, event, facts, number, salt, digest, hash, seal)
  SELECT at, event, facts, ${number}, salt, digest, hash, seal FROM audit WHERE number = 3`;

const forgeries: [what: string, sql: string[], fault: RegExp][] = [
  ['a copy of the newest record, with the next number', [forged(4)], /inserted.*: 4 \(id 4|record 4/],
  ['two of them', [forged(4), forged(5)], /inserted.*: 4 \(id 4.*, 5 \(id 5|record 4/],
  ['one with a number far above', [forged('4611686018427387904')], /inserted.* 4611686018427387904 \(id 4/],
  ['one with the first unsafe number', [forged('9007199254740993')], /inserted.* 9007199254740993 \(id 4/],
  ['one below the first', [forged(0)], /1 to \d, and other records were inserted.*: 0 \(id 4/],
  [
    'several below the first',
    [forged(-7), forged('-9007199254740993')],
    /-7 \(id 4.*, -9007199254740993 \(id 5/,
  ],
  ['one without a number', [forged('NULL')], /none \(id 4 of the table audit\)/],
  ['one some numbers above', [forged(9)], /inserted.* 9 \(id 4|record 9: record 4 is missing/],
  ['the removed last record', ['DELETE FROM audit WHERE number = 3'], /last record is 2|record 3 is missing/],
  [
    'a head that was put back',
    ["UPDATE audit_ends SET number = 2 WHERE name = 'head'"],
    /the store says 2|last record is 2|the head|record 4: its hash/,
  ],
  [
    'removed records, and a head without its seal',
    [
      'DELETE FROM audit WHERE number > 1',
      "UPDATE audit_ends SET number = 1, hash = (SELECT hash FROM audit) WHERE name = 'head'",
    ],
    /the head of the chain|record 2: its hash/,
  ],
  [
    'a removed head',
    ["DELETE FROM audit_ends WHERE name = 'head'"],
    /inserted.*: 1 \(id 1|record 4: its hash/,
  ],
  [
    'a head of a number that cannot be',
    ["UPDATE audit_ends SET number = 4611686018427387904 WHERE name = 'head'"],
    /the store says -1|record 4: its hash/,
  ],
  [
    'an anchor that was moved on',
    [
      "UPDATE audit_ends SET number = 1, hash = (SELECT hash FROM audit WHERE number = 1) WHERE name = 'anchor'",
    ],
    /the anchor of the chain: its seal/,
  ],
  [
    'an anchor of a number that cannot be',
    ["UPDATE audit_ends SET number = 4611686018427387904 WHERE name = 'anchor'"],
    /record 0 is missing/,
  ],
  ['a removed record', ['DELETE FROM audit WHERE number = 2'], /record 3: record 2 is missing/],
];

describeStores('behind what somebody changed', (open) => {
  it.each(forgeries)(
    'the trail goes on, with receipts, and a check names %s',
    async (_, statements, fault) => {
      const store = await open();
      const sealed = await openAuditChain([master], store.meta);
      const add = () => store.audit.append([auditEntry({ facts: { n: 1 } })], sealed);
      for (let i = 0; i < 3; i++) await add();
      expect(await faultOf(store)).toBeNull();
      await forge(store, statements);
      expect(await faultOf(store)).toMatch(fault);
      const listed = await store.audit.list({ limit: 9 });
      const linked = listed.flatMap(({ link }) => link?.number ?? []);
      // None is shown with a number of another place, and no number twice.
      expect(linked.every((number) => number >= 1 && number <= 3)).toBe(true);
      expect(new Set(linked).size).toBe(linked.length);
      for (let i = 0; i < 3; i++) {
        const [link] = await add();
        const [record] = await store.audit.read(link!.number - 1, 1);
        expect(record!.link!.number).toBe(link!.number);
        expect(Buffer.from(record!.link!.hash)).toEqual(Buffer.from(link!.hash));
      }
      expect(await faultOf(store)).toMatch(fault);
    },
  );
});

it('an interrupted erasure is completed', async () => {
  const directory = temporaryDirectory();
  const store = openStore(directory);
  await newGallery(store);
  await append(store, 2, { clientId: 'alice', trxId: 't-1', facts });
  changeStore(directory, 'UPDATE clients SET registered_at = NULL');
  expect(await store.audit.prune(null, chain)).toBe(0);
  expect(JSON.stringify(await store.audit.list({ limit: 9 }))).not.toMatch(/alice|t-1/);
  expect(await verified(store)).toMatchObject({ records: 2, erased: 2, fault: null });
});

describe('a trail that was changed in the database does not verify:', () => {
  const changes: [what: string, sql: string, fault: RegExp][] = [
    ['facts', `UPDATE audit SET facts = '{"n":9}' WHERE number = 2`, /record 2: its client, trx_id or facts/],
    ['a client', "UPDATE audit SET client_id = 'eve' WHERE number = 2", /record 2: its client/],
    ['a time', 'UPDATE audit SET at = at + 1 WHERE number = 2', /record 2: its hash does not follow/],
    ['a hash', "UPDATE audit SET hash = x'00' WHERE number = 2", /record 2: its hash does not follow/],
    ['a removed record', 'DELETE FROM audit WHERE number = 2', /record 3: record 2 is missing/],
    ['the removed last record', 'DELETE FROM audit WHERE number = 4', /the last record is 3/],
    [
      'a removed end with its head moved',
      `DELETE FROM audit WHERE number = 4;
       UPDATE audit_ends SET number = 3, hash = (SELECT hash FROM audit WHERE number = 3),
         seal = (SELECT seal FROM audit WHERE number = 3) WHERE name = 'head'`,
      /the head of the chain: its seal/,
    ],
    [
      'a removed beginning with its anchor moved',
      `UPDATE audit_ends SET number = 1, hash = (SELECT hash FROM audit WHERE number = 1),
         seal = (SELECT seal FROM audit WHERE number = 1) WHERE name = 'anchor';
       DELETE FROM audit WHERE number = 1`,
      /the anchor of the chain: its seal/,
    ],
  ];
  it.each(changes)('%s', async (_, sql, fault) => {
    const directory = temporaryDirectory();
    const store = openStore(directory);
    await append(store, 4, { facts: { n: 1 } });
    changeStore(directory, sql);
    expect((await verified(store)).fault).toMatch(fault);
  });

  it('an inserted record without a number', async () => {
    const directory = temporaryDirectory();
    const store = openStore(directory);
    await append(store, 1);
    changeStore(directory, "INSERT INTO audit (at, event, facts) VALUES (1, 'e', '{}')");
    expect((await store.audit.ends()).strays).toEqual([{ id: '2', number: null }]);
  });
});

describeStores('retention', (open) => {
  it('goes on beside records that somebody inserted, and keeps them as long as others', async () => {
    const store = await open();
    const sealed = await openAuditChain([master], store.meta);
    for (const at of [5, 6, 7]) await store.audit.append([auditEntry({ at: new Date(at) })], sealed);
    await forge(store, [forged(-7), forged(0), forged(9), forged('9007199254740993')]);
    const numbers = async () => (await store.audit.ends()).strays.map(({ number }) => number);
    expect(await store.audit.prune(new Date(7), sealed)).toBe(2);
    expect(await numbers()).toEqual(['-7', '0', '9', '9007199254740993']);
    expect(await store.audit.prune(new Date(8), sealed)).toBe(3);
    expect((await store.audit.ends()).anchor.number).toBe(3);
    expect(await numbers()).toEqual(['9', '9007199254740993']);
    expect(await faultOf(store)).toMatch(/inserted.*: 9 \(id 6/);
  });
});

it('a trail is exported also while no server runs', async () => {
  const env = { WAJAH_DATA_DIR: soundDirectory() };
  const file = `${temporaryDirectory()}/trail.jsonl`;
  expect(await runWajah(env, 'audit', 'export', file)).toMatchObject({ code: 0 });
  const [inStore, inFile] = [
    await runWajah(env, 'audit', 'verify'),
    await runWajah(env, 'audit', 'verify', '--file', file),
  ];
  expect([inFile.code, inFile.out]).toEqual([0, inStore.out]);
});

it('an exported trail that is checked with another master key is blamed on no store', async () => {
  const env = { WAJAH_DATA_DIR: soundDirectory() };
  const file = `${temporaryDirectory()}/trail.jsonl`;
  expect((await runWajah(env, 'audit', 'export', file)).code).toBe(0);
  const elsewhere = { WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_SECRET_KEY: '5e'.repeat(32) };
  expect(await runWajah(elsewhere, 'audit', 'verify', '--file', file)).toMatchObject({
    code: 1,
    notes: expect.stringContaining(`wajah: ${file}: the key of the audit trail (audit_key) does not open`),
  });
});

it('an export names the file that it cannot write', async () => {
  const env = { WAJAH_DATA_DIR: soundDirectory() };
  const folder = temporaryDirectory();
  const [taken, lost] = [`${folder}/taken.jsonl`, `${folder}/no/trail.jsonl`];
  expect((await runWajah(env, 'audit', 'export', taken)).code).toBe(0);
  const ofFile = async (file: string) => (await runWajah(env, 'audit', 'export', file)).notes;
  expect(await ofFile(taken)).toBe(`wajah: ${taken} exists already; name a new file`);
  expect(await ofFile(lost)).toMatch(`wajah: ${lost}: ENOENT`);
});

it('a trail that was emptied is not intact where there are clients', async () => {
  const env = { WAJAH_DATA_DIR: soundDirectory() };
  expect((await runWajah(env, 'audit', 'verify')).code).toBe(0);
  change('DELETE FROM audit; DELETE FROM audit_ends')(env.WAJAH_DATA_DIR);
  expect(await runWajah(env, 'audit', 'verify')).toMatchObject({
    code: 1,
    notes: expect.stringMatching(/The audit trail is broken: the store has clients and no record/),
  });
});

it.skipIf(noPostgres)('two servers that append at once write one chain', async () => {
  const url = await newDatabase();
  const stores = [await openDatabaseStore(url), await openDatabaseStore(url)];
  const writers = stores.flatMap((store) => [1, 2, 3].map(() => append(store, 20)));
  await Promise.all(writers);
  expect(await verified(stores[0]!)).toMatchObject({ records: 120, last: 120, fault: null });
  await Promise.all(stores.map((store) => store.close()));
});
