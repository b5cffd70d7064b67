import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { asOperatorError, OperatorError } from '../errors.ts';
import { createTrailCheck, openAuditKey } from '../security/audit-chain.ts';
import { findMasterKeys, type MasterKeySources } from '../security/keys/master-key.ts';
import type { AuditRecord, SealedLink, Strays } from '../store/ports.ts';

const pageLength = 500;
/** The ends alone: a page has one record at least. */
const noRecord = { after: Number.MAX_SAFE_INTEGER, limit: 1 };

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

/** A record of the audit trail as plain JSON; bytes are hexadecimal. Null: it has no link. */
export interface PlainRecord {
  readonly number: number | null;
  readonly time: string;
  readonly event: string;
  readonly client_id: string | null;
  readonly trx_id: string | null;
  readonly facts: AuditRecord['facts'];
  readonly salt: string | null;
  readonly digest: string | null;
  readonly hash: string | null;
  readonly seal: string | null;
}

/** Reads the ends of the chain with a page of its records; `after` is exclusive. */
export type AuditSource = (page: {
  readonly after: number;
  readonly limit: number;
}) => Promise<z.output<typeof headerText> & Strays & { readonly records: readonly PlainRecord[] }>;

/** What a check found. */
export interface AuditFindings {
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
  readonly named: Pick<PlainRecord, 'event' | 'time'> | null;
}

/** Number and hash of a record, as in the receipt of an erasure. */
export interface ReceiptToCheck {
  readonly number: number;
  /** Hexadecimal. */
  readonly hash: string;
}

/** Receives the number of records read, and of all. */
type OnRecord = (done: number, total: number) => void;

export type AuditReader = ReturnType<typeof createAuditReader>;

/** Checks and exports the audit trail, in the process of the command. */
export function createAuditReader(sources: MasterKeySources) {
  return {
    verify: async (
      source: AuditSource,
      progress?: OnRecord,
      receipt?: ReceiptToCheck,
    ): Promise<AuditFindings> => {
      const { anchor, head, key, records: _, ...strays } = await source(noRecord);
      const found = await check(
        sources,
        { anchor, head, key },
        records(source, anchor.number, head.number, progress),
        receipt,
      );
      return { ...found, fault: found.fault ?? strayFault(strays, head.number) };
    },
    verifyFile: (file: string, receipt?: ReceiptToCheck): Promise<AuditFindings> =>
      asOperatorError(() => verifyFile(sources, file, receipt), isUnread, `${file}: `),
    /** @param file new; readable by this user only @returns number of records */
    export: (source: AuditSource, file: string, progress?: OnRecord): Promise<number> =>
      asOperatorError(() => exportTo(source, file, progress), isUnread, `${file}: `),
  };
}

function strayFault({ behind, unlinked }: Strays, head: number): string | null {
  if (behind !== null) {
    return `record ${behind} is behind the last one, ${head}: records were inserted, or the head was put back`;
  }
  return unlinked > 0 ? `${unlinked} records without a number were inserted` : null;
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
    if (record.number === receipt?.number && record.hash === receipt.hash)
      named = { event: record.event, time: record.time };
  }
  return { ...trail.end(linkOf(head)), sealed: key !== null, named };
}

/** Up to the record `last`: others may be appended meanwhile. */
async function* records(
  source: AuditSource,
  first: number,
  last: number,
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

async function exportTo(source: AuditSource, file: string, progress?: OnRecord): Promise<number> {
  const { anchor, head, key } = await source(noRecord);
  const handle = await open(file, 'wx', 0o600);
  let count = 0;
  try {
    await handle.write(`${JSON.stringify({ anchor, head, key })}\n`);
    for await (const record of records(source, anchor.number, head.number, progress)) {
      await handle.write(`${JSON.stringify(record satisfies PlainRecord)}\n`);
      count += 1;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return count;
}

async function verifyFile(
  sources: MasterKeySources,
  file: string,
  receipt: ReceiptToCheck | undefined,
): Promise<AuditFindings> {
  const lines = createInterface({ input: createReadStream(file) })[Symbol.asyncIterator]();
  const first = await lines.next();
  const header = parsed(headerText, first.done ? '' : first.value, 1);
  async function* rest() {
    let number = 1;
    for await (const line of { [Symbol.asyncIterator]: () => lines }) {
      number += 1;
      yield parsed(recordText, line, number);
    }
  }
  return check(sources, header, rest(), receipt);
}

function parsed<T extends z.ZodType>(type: T, line: string, number: number): z.output<T> {
  try {
    return type.parse(JSON.parse(line));
  } catch {
    throw new OperatorError(`line ${number} is not of an exported audit trail`);
  }
}

function isUnread(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === 'string' || error instanceof OperatorError;
}

function linkOf({ number, hash, seal }: z.output<typeof linkText>): SealedLink {
  return { number, hash: Buffer.from(hash, 'hex'), seal: Buffer.from(seal, 'hex') };
}

function recordOf({
  time,
  event,
  client_id,
  trx_id,
  facts,
  ...link
}: z.output<typeof recordText>): AuditRecord {
  return {
    id: link.number,
    at: new Date(time),
    event,
    clientId: client_id,
    trxId: trx_id,
    facts,
    link: {
      ...linkOf(link),
      salt: link.salt === null ? null : Buffer.from(link.salt, 'hex'),
      digest: Buffer.from(link.digest, 'hex'),
    },
  };
}
