import { bytesOf } from '../rows.ts';
import type { SealedKind, SealedStore } from '../sealed-store.ts';
import type { SqlExecutor, SqlValue } from './executor.ts';

/** Where the values of a kind are. */
interface Column {
  readonly table: string;
  readonly column: string;
  /** SQL expressions of name, part and client_id. */
  readonly name: string;
  readonly part: string;
  readonly clientId?: string;
  readonly ofGallery?: true;
}

const frames = { table: 'liveness_frames', name: 'session', part: 'id' } as const;

const columns: Readonly<Record<SealedKind, Column>> = {
  nextTemplate: { table: 'next_templates', column: 'template', name: 'user_id', part: '0', ofGallery: true },
  template: { table: 'faces', column: 'template', name: 'user_id', part: '0', ofGallery: true },
  crop: { table: 'face_crops', column: 'crop', name: 'user_id', part: 'place', ofGallery: true },
  cohort: {
    ...{ table: 'gallery_cohorts', column: 'sealed', name: 'CAST(gallery AS text)', part: '0' },
    ofGallery: true,
  },
  frameHash: { ...frames, column: 'hash' },
  frameDetail: { ...frames, column: 'detail' },
  judgement: {
    table: 'recorded_sessions',
    column: 'judgement',
    name: 'id',
    part: '0',
    clientId: 'client_id',
  },
  webhookSecret: {
    ...{ table: 'webhook_endpoints', column: 'secret', name: 'id', part: '0' },
    clientId: 'client_id',
  },
  recordedPart: {
    ...{ table: 'recorded_parts', column: 'sealed', name: 'session', part: 'part' },
    clientId: '(SELECT s.client_id FROM recorded_sessions s WHERE s.id = recorded_parts.session)',
  },
};

/** Single statements: a row is replaced by itself, so that no transaction holds locks on several. */
export function sqlSealed(db: SqlExecutor): SealedStore {
  return {
    next: async (kind, gallery, { name, part }, limit) => {
      const of = columns[kind];
      const values: SqlValue[] = [limit];
      const conditions = [`${of.column} IS NOT NULL`];
      if (of.ofGallery) conditions.push(`gallery = $${values.push(gallery)}`);
      const order = orderOf(of);
      const after = order.map((column) => `$${values.push(column === of.name ? name : part)}`);
      conditions.push(`(${order}) > (${after})`);
      const sql = `SELECT ${of.name} AS name, ${of.part} AS part, ${of.column} AS sealed,
        coalesce(${of.clientId ?? "''"}, '') AS "clientId" FROM ${of.table}
        WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT $1`;
      const rows = await db.all<{ name: string; part: number; sealed: Uint8Array; clientId: string }>(
        sql,
        ...values,
      );
      return rows.map((row) => ({ ...row, sealed: bytesOf(row.sealed) }));
    },
    replace: async (kind, gallery, row, sealed) => {
      const of = columns[kind];
      const values: SqlValue[] = [sealed, row.sealed];
      const conditions = [`${of.column} = $2`];
      if (of.ofGallery) conditions.push(`gallery = $${values.push(gallery)}`);
      for (const column of orderOf(of))
        conditions.push(`${column} = $${values.push(column === of.name ? row.name : row.part)}`);
      await db.run(`UPDATE ${of.table} SET ${of.column} = $1 WHERE ${conditions.join(' AND ')}`, ...values);
    },
    sessionTemplatesUntil: async () => {
      const sql = 'SELECT max(template_until) AS until FROM liveness_sessions WHERE template IS NOT NULL';
      const until = (await db.get<{ until: number | null }>(sql))?.until ?? null;
      return until === null ? null : new Date(until);
    },
  };
}

/** Columns that name a row: the id of a frame alone, or name and part. */
function orderOf({ table, name, part }: Column): string[] {
  if (table === frames.table) return [part];
  return part === '0' ? [name] : [name, part];
}
