import type { AuditStore } from '../audit/audit-store.ts';
import type { MetaStore } from '../store.ts';

/** A restore, for both stores. */
export interface Restoring {
  /** Opens the backup from its first line on. */
  lines(): AsyncIterable<string>;
  /** Replaces what the store holds. */
  readonly force: boolean;
  /** Receives the named values of the backup. @throws OperatorError when its master key is another one */
  requireMeta(values: ReadonlyMap<string, string>): void;
  /** Receives the number of rows written. */
  progress(rows: number): void;
  /** Writes the restore into the audit trail of the restored store. */
  record(parts: { readonly meta: MetaStore; readonly audit: AuditStore }): Promise<void>;
}
