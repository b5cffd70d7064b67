import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { endpoints, operatorEndpoints } from '@wajah/contract';
import { z } from 'zod';
import { loadConfig } from '../config/config.ts';
import { asOperatorError, OperatorError } from '../errors.ts';
import { createTrailCheck, openAuditKey } from '../security/audit-chain.ts';
import { findMasterKeys, type MasterKeySources } from '../security/keys/master-key.ts';
import type { AuditRecord, SealedLink, Strays } from '../store/ports.ts';
import type { CommandDeps } from './command.ts';
import type { CallEndpoint } from './operator-calls.ts';
import { showProgress } from './terminal.ts';

const pageLength = 500;
/** The ends alone: a page has one record at least. */
const endsAlone = { after: Number.MAX_SAFE_INTEGER, limit: 1 };

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

type Trail = z.output<typeof operatorEndpoints.readAuditTrail.answer>;

/** Reads the ends of the chain with a page of its records; `after` is exclusive. */
export type AuditSource = (page: {
  readonly after: number;
  readonly limit: number;
}) => Promise<Omit<Trail, 'status' | 'status_message'>>;

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
  readonly named: Pick<Trail['records'][number], 'event' | 'time'> | null;
}

/** Number and hash of a record, as in the receipt of an erasure. */
export interface ReceiptToCheck {
  readonly number: number;
  /** Hexadecimal. */
  readonly hash: string;
}

/** Receives the number of records read, and of all. */
type OnRecord = (done: number, total: number) => void;

const sourceOf =
  (call: CallEndpoint): AuditSource =>
  (page) =>
    call(operatorEndpoints.readAuditTrail, page);

/** `wajah audit verify` */
export async function verify(
  { terminal, env, callAsOperator }: CommandDeps,
  { file, receipt }: { file: string | undefined; receipt: ReceiptToCheck | undefined },
): Promise<void> {
  const config = loadConfig(env);
  const progress = showProgress('checked', terminal, 'records');
  const found = await (file === undefined
    ? callAsOperator(async (call) =>
        requireRecords(await checkTrail(config, sourceOf(call), receipt, progress.update), call),
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
  const { event, time } = found.named;
  terminal.out(`Record ${receipt.number} is that of the receipt: ${event}, ${time}.`);
}

/** A trail without any record is intact only where there is no client: to create one is recorded. */
async function requireRecords(found: AuditFindings, call: CallEndpoint): Promise<AuditFindings> {
  if (found.fault !== null || found.last > 0) return found;
  const { clients } = await call(endpoints.listClients);
  if ((clients as unknown[]).length === 0) return found;
  return { ...found, fault: 'the store has clients and no record of their creation: all were removed' };
}

/** @param found a trail that is intact */
function notNamed({ number }: ReceiptToCheck, { first, last }: AuditFindings): string {
  return number < first || number > last
    ? `The trail has the records ${first} to ${last}: ${number} has expired, or is of another trail.`
    : `Record ${number} of the trail is not that of the receipt: its hash is another.`;
}

/** `wajah audit export` */
export async function exportTo(
  { terminal, callAsOperator }: CommandDeps,
  { file }: { file: string },
): Promise<void> {
  const progress = showProgress('exported', terminal, 'records');
  const count = await callAsOperator((call) => exportTrail(sourceOf(call), file, progress.update)).finally(
    progress.end,
  );
  terminal.out(`Wrote ${count} records to ${file}.`);
}

/** Checks a whole trail. @param sources of the master key, without which only hashes are checked */
export async function checkTrail(
  sources: MasterKeySources,
  source: AuditSource,
  receipt?: ReceiptToCheck,
  progress?: OnRecord,
): Promise<AuditFindings> {
  const { records: _, ...ends } = await source(endsAlone);
  const all = readRecords(source, ends, progress);
  const found = await check(sources, ends, all, receipt);
  return { ...found, fault: found.fault ?? strayFault(ends) };
}

function strayFault({ behind, unlinked, head }: Strays & Pick<Trail, 'head'>): string | null {
  if (behind !== null) {
    return `record ${behind} is behind the last one, ${head.number}: records were inserted, or the head was put back`;
  }
  return unlinked > 0 ? `${unlinked} records without a number were inserted` : null;
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
    const header = parsed(headerText, first.done ? ['', 1] : first.value);
    async function* rest() {
      for await (const line of lines) yield parsed(recordText, line);
    }
    return check(sources, header, rest(), receipt);
  };
  return asOperatorError(work, isUnread, `${file}: `);
}

/**
 * Writes a trail as JSON lines.
 * @param file new; readable by this user only
 * @returns number of records
 */
export function exportTrail(source: AuditSource, file: string, progress?: OnRecord): Promise<number> {
  const work = async () => {
    const { anchor, head, key } = await source(endsAlone);
    const handle = await open(file, 'wx', 0o600);
    let count = 0;
    try {
      await handle.write(`${JSON.stringify({ anchor, head, key })}\n`);
      for await (const record of readRecords(source, { anchor, head }, progress)) {
        await handle.write(`${JSON.stringify(record)}\n`);
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
  { anchor, head, key: stored }: z.output<typeof headerText>,
  all: AsyncIterable<z.output<typeof recordText>>,
  receipt: ReceiptToCheck | undefined,
): Promise<AuditFindings> {
  const masterKeys = stored === null ? null : findMasterKeys(sources);
  const key = masterKeys && stored !== null ? openAuditKey(masterKeys, stored) : null;
  const trail = createTrailCheck(linkOf(anchor), key);
  let named: AuditFindings['named'] = null;
  for await (const record of all) {
    if (!trail.add(recordOf(record))) break;
    const { number, hash, event, time } = record;
    if (number === receipt?.number && hash === receipt.hash) named = { event, time };
  }
  return { ...trail.end(linkOf(head)), sealed: key !== null, named };
}

/** Up to the last record of the ends: others may be appended meanwhile. */
async function* readRecords(
  source: AuditSource,
  { anchor: { number: first }, head: { number: last } }: Pick<Trail, 'anchor' | 'head'>,
  progress: OnRecord = () => undefined,
) {
  for (let after = first; after < last; ) {
    const { records: page } = await source({ after, limit: pageLength });
    if (page.length === 0) return;
    progress(Math.min(last, after + page.length) - first, last - first);
    for (const record of page) {
      after = record.number ?? after;
      if (after <= last) yield recordText.parse(record);
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
