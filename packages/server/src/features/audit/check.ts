import { type AuditKey, digestOf, hashOf, isEqual } from '../../security/audit-chain.ts';
import type { AuditEntry, AuditRecord, ChainLink, RecordLink, SealedLink } from '../../store/ports/audit.ts';

/**
 * Checks a chain record by record.
 * @param anchor the place before the first record
 * @param key null: seals are not checked
 */
export function createTrailCheck(anchor: SealedLink, key: AuditKey | null) {
  let previous: ChainLink = anchor;
  let [records, erased] = [0, 0];
  let fault = key && anchor.number > 0 && !key.isSealedEnd('anchor', anchor) ? unsealed('anchor') : null;
  const check = ({ link, ...entry }: AuditRecord): string | null => {
    if (link === null) return `a record of ${entry.at.toISOString()} has no number`;
    const found = faultOf(entry, link, previous);
    if (found !== null) return `record ${link.number}: ${found}`;
    if (key && !key.isSealed(link)) return `record ${link.number}: its seal is not of this master key`;
    previous = link;
    records += 1;
    if (link.salt === null) erased += 1;
    return null;
  };
  return {
    /** @returns false once a fault is found; later records are not checked */
    add(record: AuditRecord): boolean {
      fault ??= check(record);
      return fault === null;
    },
    /** @param head the last record as the store has it; null: unknown, as in an exported part */
    end(head: SealedLink | null) {
      if (fault === null && head !== null) fault = headFault(head);
      return { records, erased, first: anchor.number + 1, last: previous.number, fault };
    },
  };

  function headFault(head: SealedLink): string | null {
    if (head.number !== previous.number || !Buffer.from(head.hash).equals(previous.hash)) {
      return `the last record is ${previous.number}, and the store says ${head.number}: records were removed or added`;
    }
    return key && head.number > 0 && !key.isSealedEnd('head', head) ? unsealed('head') : null;
  }
}

function unsealed(end: string): string {
  return `the ${end} of the chain: its seal is not of this master key`;
}

/**
 * What is wrong with a record, without the key.
 * @param previous the record before it, or the anchor
 * @returns null: nothing
 */
function faultOf(
  entry: AuditEntry,
  { number, salt, digest, hash }: Omit<RecordLink, 'seal'>,
  previous: ChainLink,
): string | null {
  if (number !== previous.number + 1) return `record ${previous.number + 1} is missing`;
  if (!isEqual(hash, hashOf(entry, number, digest, previous))) {
    return 'its hash does not follow from its time, event and digest and from the record before';
  }
  if (salt === null) {
    const { clientId, trxId, facts } = entry;
    const isBlank = clientId === null && trxId === null && Object.keys(facts).length === 0;
    return isBlank ? null : 'its names are erased, and it has names';
  }
  return isEqual(digest, digestOf(entry, salt)) ? null : 'its client, trx_id or facts were changed';
}
