import { createReadStream, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type Config, loadConfig } from '../../config/config.ts';
import { asOperatorError, OperatorError } from '../../errors.ts';
import type { CommandDeps } from '../../operations/command.ts';
import { showProgress } from '../../operations/terminal.ts';
import { auditKeyName, openAuditKey } from '../../security/audit-chain.ts';
import {
  findMasterKeys,
  keyName,
  type MasterKeySources,
  requireKeyOfData,
} from '../../security/keys/master-key.ts';
import { createAuditStore } from '../../store/audit-store.ts';
import { createClientStore } from '../../store/client-store.ts';
import { requireInstallation } from '../../store/data-directory.ts';
import { localMetaKeys } from '../../store/database/tables.ts';
import { requireKnownSchema } from '../../store/database/upgrade.ts';
import { createMetaStore } from '../../store/meta-store.ts';
import { readStore } from '../../store/next-pack.ts';
import type { AuditRecord, ChainEnd, SealedLink, Strays } from '../../store/ports/audit.ts';
import type { ClientStore } from '../../store/ports/clients.ts';
import type { Store } from '../../store/ports/store.ts';
import { createTrailCheck } from './check.ts';
import { linkView, recordView } from './record.ts';

const pageLength = 500;

const hex = z.string().regex(/^([0-9a-f]{2})*$/);
const linkText = z.object({ number: z.int(), hash: hex, seal: hex });

/** The first line of an exported file. */
const headerText = z.object({ anchor: linkText, head: linkText, key: z.string().nullable() });

/** Another line of an exported file. */
const recordText = z.object({
  number: z.int(),
  time: z.iso.datetime(),
  event: z.string(),
  client_id: z.string().nullable(),
  trx_id: z.string().nullable(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  salt: hex.nullable(),
  digest: hex,
  hash: hex,
  seal: hex,
});

type Ends = Readonly<Record<ChainEnd, SealedLink>>;

/** What the trail is read from. */
type Stores = Pick<Store, 'audit' | 'meta'>;

/** What a check found. */
interface AuditFindings {
  readonly records: number;
  /** Records whose names are erased. */
  readonly erased: number;
  readonly first: number;
  readonly last: number;
  /** Whether the master key was there to check the seals. */
  readonly sealed: boolean;
  /** The first broken record and what is wrong; null: nothing. */
  readonly fault: string | null;
  /** The record that a receipt names, if one was given and the record is there with its hash. */
  readonly named: Pick<AuditRecord, 'event' | 'at'> | null;
}

/** Number and hash of a record, as in the receipt of an erasure. */
export interface ReceiptToCheck {
  readonly number: number;
  /** Hexadecimal. */
  readonly hash: string;
}

/** Receives the number of records read, and of all. */
type OnRecord = (done: number, total: number) => void;

/** `wajah audit verify` */
export async function verify(
  { terminal, env }: CommandDeps,
  { file, receipt }: { file: string | undefined; receipt: ReceiptToCheck | undefined },
): Promise<void> {
  const config = loadConfig(env);
  const progress = showProgress('checked', terminal, 'records');
  const found = await (file === undefined
    ? withTrail(config, async (stores, clients) =>
        requireRecords(await checkTrail(config, stores, receipt, progress.update), clients),
      )
    : checkTrailFile(config, file, receipt)
  ).finally(progress.end);
  if (!found.sealed) terminal.note('Without the master key only hashes are checked, no seals.');
  if (found.fault !== null) throw new OperatorError(`The audit trail is broken: ${found.fault}.`);
  const range = found.records === 0 ? '' : `, ${found.first} to ${found.last}`;
  const erased = found.erased === 0 ? '' : `; names erased in ${found.erased}`;
  terminal.out(`The audit trail is intact: ${found.records} records${range}${erased}.`);
  if (!receipt) return;
  if (!found.named) throw new OperatorError(notNamed(receipt, found));
  const { event, at } = found.named;
  terminal.out(`Record ${receipt.number} is that of the receipt: ${event}, ${at.toISOString()}.`);
}

/**
 * Reads the trail of the configured store, beside its servers.
 * @throws OperatorError when it cannot be read, or a master key is there that the data are not sealed under
 */
async function withTrail<T>(
  config: Config,
  work: (stores: Stores, clients: ClientStore) => Promise<T>,
): Promise<T> {
  if (!config.database) requireInstallation(config.dataDir);
  const found = await readStore(config, async (db, schema) => {
    requireKnownSchema(schema, await createMetaStore(db).get(localMetaKeys.migratedBy));
    const stores = { audit: createAuditStore(db), meta: createMetaStore(db) };
    const masterKeys = findMasterKeys(config);
    if (masterKeys) await requireKeyOfData(masterKeys, stores.meta, keyName(config));
    return { result: await work(stores, createClientStore(db)) };
  });
  if (found) return found.result;
  throw new OperatorError('the store has a schema that this version does not read: `wajah doctor` says more');
}

/** A trail without any record is intact only where there is no client: to create one is recorded. */
async function requireRecords(found: AuditFindings, clients: ClientStore): Promise<AuditFindings> {
  if (found.fault !== null || found.last > 0) return found;
  if ((await clients.list()).length === 0) return found;
  return { ...found, fault: 'the store has clients and no record of their creation: all were removed' };
}

/** @param found a trail that is intact */
function notNamed({ number }: ReceiptToCheck, { first, last }: AuditFindings): string {
  return number < first || number > last
    ? `The trail has the records ${first} to ${last}: ${number} has expired, or is of another trail.`
    : `Record ${number} of the trail is not that of the receipt: its hash is another.`;
}

/** `wajah audit export` */
export async function exportTo({ terminal, env }: CommandDeps, { file }: { file: string }): Promise<void> {
  const progress = showProgress('exported', terminal, 'records');
  const { count, fault } = await withTrail(loadConfig(env), async (stores) => ({
    count: await exportTrail(stores, file, progress.update),
    fault: strayFault(await stores.audit.ends()),
  })).finally(progress.end);
  terminal.out(`Wrote ${count} records to ${file}.`);
  if (fault !== null) terminal.note(`Not written is what is not of the trail: ${fault}.`);
}

/** Checks a whole trail. @param sources of the master key, without which only hashes are checked */
export async function checkTrail(
  sources: MasterKeySources,
  { audit, meta }: Stores,
  receipt?: ReceiptToCheck,
  progress?: OnRecord,
): Promise<AuditFindings> {
  const ends = await audit.ends();
  const key = await meta.get(auditKeyName);
  const found = await check(sources, { ...ends, key }, readRecords(audit, ends, progress), receipt);
  return { ...found, fault: found.fault ?? strayFault(ends) };
}

function strayFault({ strays, anchor, head }: Strays & Ends): string | null {
  if (strays.length === 0) return null;
  const named = strays.map(({ id, number }) => `${number ?? 'none'} (id ${id} of the table audit)`);
  return `the chain has the numbers ${anchor.number + 1} to ${head.number}, and other records were inserted, or an end of it was moved: ${named.join(', ')}`;
}

/** Checks an exported trail. @throws OperatorError when the file is none */
export function checkTrailFile(
  sources: MasterKeySources,
  file: string,
  receipt?: ReceiptToCheck,
): Promise<AuditFindings> {
  const work = async () => {
    const lines = numbered(createInterface({ input: createReadStream(file) }));
    const first = await lines.next();
    const { anchor, head, key } = parsed(headerText, first.done ? ['', 1] : first.value);
    async function* rest() {
      for await (const line of lines) yield recordOf(parsed(recordText, line));
    }
    return check(sources, { anchor: linkOf(anchor), head: linkOf(head), key }, rest(), receipt);
  };
  return asOperatorError(work, isUnread, `${file}: `);
}

/**
 * Writes a trail as JSON lines.
 * @param file new; readable by this user only
 * @returns number of records
 */
export async function exportTrail(
  { audit, meta }: Stores,
  file: string,
  progress?: OnRecord,
): Promise<number> {
  if (existsSync(file)) throw new OperatorError(`${file} exists already; name a new file`);
  const work = async () => {
    const ends = await audit.ends();
    const header = { anchor: linkView(ends.anchor), head: linkView(ends.head) };
    const key = await meta.get(auditKeyName);
    const handle = await open(file, 'wx', 0o600);
    let count = 0;
    try {
      await handle.write(`${JSON.stringify({ ...header, key })}\n`);
      for await (const record of readRecords(audit, ends, progress)) {
        await handle.write(`${JSON.stringify(recordView(record))}\n`);
        count += 1;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    return count;
  };
  return asOperatorError(work, isUnread, `${file}: `);
}

async function check(
  sources: MasterKeySources,
  { anchor, head, key: stored }: Ends & { readonly key: string | null },
  all: AsyncIterable<AuditRecord>,
  receipt: ReceiptToCheck | undefined,
): Promise<AuditFindings> {
  const masterKeys = stored === null ? null : findMasterKeys(sources);
  const key = masterKeys && stored !== null ? openAuditKey(masterKeys, stored) : null;
  const trail = createTrailCheck(anchor, key);
  let named: AuditFindings['named'] = null;
  for await (const record of all) {
    if (!trail.add(record)) break;
    const { number, hash } = recordView(record);
    if (number === receipt?.number && hash === receipt.hash) named = record;
  }
  return { ...trail.end(head), sealed: key !== null, named };
}

/** Up to the last record of the ends: others may be appended meanwhile. */
async function* readRecords(
  audit: Stores['audit'],
  { anchor: { number: first }, head: { number: last } }: Ends,
  progress: OnRecord = () => undefined,
) {
  for (let after = first; after < last; ) {
    const page = await audit.read(after, pageLength);
    if (page.length === 0) return;
    progress(Math.min(last, after + page.length) - first, last - first);
    for (const record of page) {
      after = record.link?.number ?? after;
      if (after <= last) yield record;
    }
  }
}

async function* numbered(lines: AsyncIterable<string>) {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    yield [line, number] as const;
  }
}

function parsed<T extends z.ZodType>(type: T, [line, number]: readonly [string, number]): z.output<T> {
  try {
    return type.parse(JSON.parse(line));
  } catch {
    throw new OperatorError(`line ${number} is not of an exported audit trail`);
  }
}

function isUnread(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === 'string' || error instanceof OperatorError;
}

const bytes = (text: string) => Buffer.from(text, 'hex');

const linkOf = ({ number, hash, seal }: z.output<typeof linkText>): SealedLink => ({
  number,
  hash: bytes(hash),
  seal: bytes(seal),
});

function recordOf(record: z.output<typeof recordText>): AuditRecord {
  const { number, time, event, client_id: clientId, trx_id: trxId, facts, salt, digest } = record;
  const link = { ...linkOf(record), salt: salt === null ? null : bytes(salt), digest: bytes(digest) };
  return { id: number, at: new Date(time), event, clientId, trxId, facts, link };
}
