import type { SqliteDatabase } from '../sqlite/connection/database.ts';
import type { AuditChain, AuditEntry, AuditStore, ChainLink } from './audit-store.ts';
import { clientsOf, type EndRow, linkAll, recordColumns, rowValues, toEnd } from './rows.ts';
import { sqlAudit } from './sql.ts';

export function sqliteAudit(db: SqliteDatabase): AuditStore {
  return {
    ...sqlAudit(db.executor, {
      galleryId: "json_extract(facts, '$.facegallery_id')",
      month: "strftime('%Y-%m', at / 1000, 'unixepoch')",
      purge: () => db.purge(),
    }),
    append: (entries, chain) => db.write(() => append(db, entries, chain)),
  };
}

function append(db: SqliteDatabase, entries: readonly AuditEntry[], chain: AuditChain): ChainLink[] {
  const head = toEnd(db.get<EndRow>("SELECT * FROM audit_ends WHERE name = 'head'")!);
  const registered = new Map(
    clientsOf(entries).map((clientId) => [clientId, registeredAt(db, clientId)] as const),
  );
  const linked = linkAll(entries, head, chain, registered);
  const insert = `INSERT INTO audit (${recordColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  for (const one of linked) db.run(insert, ...rowValues(one));
  const { number, hash, seal } = chain.sealEnd('head', linked.at(-1)?.link ?? head);
  db.run("UPDATE audit_ends SET number = ?, hash = ?, seal = ? WHERE name = 'head'", number, hash, seal);
  return linked.map(({ link }) => link);
}

function registeredAt(db: SqliteDatabase, clientId: string): number | null {
  const sql = 'SELECT registered_at AS since FROM clients WHERE client_id = ?';
  return db.get<{ since: number | null }>(sql, clientId)?.since ?? null;
}
