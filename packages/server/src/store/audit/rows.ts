import { bytesOf } from '../rows.ts';
import type { AuditChain, AuditEntry, AuditRecord, ChainLink, RecordLink } from './audit-store.ts';
import { mayName, withoutNames } from './audit-store.ts';

type Blob = ArrayBuffer | Uint8Array;

export interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly event: string;
  readonly client_id: string | null;
  readonly trx_id: string | null;
  readonly facts: string;
  readonly number: number | null;
  readonly salt: Blob | null;
  readonly digest: Blob | null;
  readonly hash: Blob | null;
  readonly seal: Blob | null;
}

export interface EndRow {
  readonly name: string;
  readonly number: number;
  readonly hash: Blob;
  readonly seal: Blob;
}

/** An entry and its link, to be written. */
export interface LinkedEntry {
  readonly entry: AuditEntry;
  readonly link: RecordLink;
}

export function toRecord(row: AuditRow): AuditRecord {
  return {
    id: row.id,
    at: new Date(row.at),
    event: row.event,
    clientId: row.client_id,
    trxId: row.trx_id,
    facts: JSON.parse(row.facts) as AuditEntry['facts'],
    link: linkOf(row),
  };
}

function linkOf({ number, salt, digest, hash, seal }: AuditRow): RecordLink | null {
  if (number === null || digest === null || hash === null || seal === null) return null;
  return {
    number,
    salt: salt && bytesOf(salt),
    digest: bytesOf(digest),
    hash: bytesOf(hash),
    seal: bytesOf(seal),
  };
}

export function toEnd({ number, hash, seal }: EndRow) {
  return { number, hash: bytesOf(hash), seal: bytesOf(seal) };
}

/** Links entries behind the head, in order. @param registered times of registration by client */
export function linkAll(
  entries: readonly AuditEntry[],
  head: ChainLink,
  chain: AuditChain,
  registered: ReadonlyMap<string, number | null>,
): LinkedEntry[] {
  let previous = head;
  return entries.map((given) => {
    const entry = given.clientId === null || mayName(given, registered) ? given : withoutNames(given);
    const link = chain.link(entry, previous);
    previous = link;
    return { entry, link };
  });
}

/** The values of a row, in the order of `recordColumns`. */
export function rowValues({ entry, link }: LinkedEntry) {
  const { at, event, clientId, trxId, facts } = entry;
  const { number, salt, digest, hash, seal } = link;
  return [
    at.getTime(),
    event,
    clientId,
    trxId,
    JSON.stringify(facts),
    number,
    salt,
    digest,
    hash,
    seal,
  ] as const;
}

export const recordColumns = 'at, event, client_id, trx_id, facts, number, salt, digest, hash, seal';

/** Of the clients of entries, each once. */
export function clientsOf(entries: readonly AuditEntry[]): string[] {
  return [...new Set(entries.flatMap(({ clientId }) => (clientId === null ? [] : [clientId])))];
}
