import { OperatorError } from '../../errors.ts';
import { version } from '../../version.ts';
import { type Kind, type Migration, newestSchema, oldestSchema } from './schema.ts';

/**
 * @param found schema of the store; 0: none
 * @param migratedBy version of the program that migrated the store; null: not recorded
 * @returns why this program does not serve the schema, and what to do; null: it serves or upgrades it
 */
export function unknownSchemaText(found: number, migratedBy: string | null): string | null {
  if (found > 0 && found < oldestSchema)
    return `schema ${found}, and this version upgrades schemas from ${oldestSchema} on: with the version that wrote it run \`wajah backup <file>\`, then with this one \`wajah restore <file>\` into an empty data directory with the same secret.key, or an empty database (docs/operations/storage.md, Upgrading)`;
  if (found <= newestSchema) return null;
  const [origin, remedy] =
    migratedBy === null
      ? ['a newer version', 'start the version that migrated it']
      : [`version ${migratedBy}`, `start version ${migratedBy} or newer`];
  return `schema ${found}, which ${origin} of Wajah wrote; this is version ${version}, which supports schemas up to ${newestSchema}: ${remedy}, or restore a backup from before the upgrade`;
}

/**
 * The first schema was changed under its number until sessions had their last column: a store without it counts as one of
 * the schema before.
 * @param columns of the table of sessions
 */
export function countedSchema(found: number, columns: readonly { readonly name: string }[]): number {
  return found === oldestSchema && !columns.some(({ name }) => name === 'min_face') ? found - 1 : found;
}

/** @throws OperatorError with `unknownSchemaText` */
export function requireKnownSchema(found: number, migratedBy: string | null): void {
  const reason = unknownSchemaText(found, migratedBy);
  if (reason !== null) throw new OperatorError(`the database has ${reason}`);
}

/** @param table of the migrations */
export const emptiedText = (table: string) =>
  `the table ${table} was emptied beside others, so their schema is not known; restore a backup`;

/** A migration that has not run yet. */
interface PlannedMigration {
  readonly number: number;
  readonly name: string;
  /** Tables with rows that it changes, indexes or drops. */
  readonly tables: readonly string[];
  /** Rows of these tables together. */
  readonly rows: number;
}

/** What an upgrade of a store would do. */
export interface MigrationPlan {
  readonly store: Kind;
  /** 0: there is no database yet, or an empty one. */
  readonly schema: number;
  readonly newestSchema: number;
  /** Version of the program that last migrated the store; null: not recorded. */
  readonly migratedBy: string | null;
  readonly migrations: readonly PlannedMigration[];
  /** Rough time of all of them, seconds. */
  readonly seconds: number;
}

/**
 * Time of a row that a migration indexes or rewrites, seconds: two indexes on 500,000 audit records took 1.6 µs of a core
 * each in SQLite and 2.4 µs in PostgreSQL (2 cores, AMD EPYC), doubled. Columns are added without touching rows.
 */
const secondsPerRow = 5e-6;
/** Durable commit of a step, seconds. */
const secondsPerStep = 0.05;

/**
 * @param count rows of a table; null: there is none of this name
 * @returns the steps after `schema`, in order
 */
export async function planSteps(
  schema: number,
  steps: readonly Migration[],
  count: (table: string) => number | null | Promise<number | null>,
): Promise<Pick<MigrationPlan, 'migrations' | 'seconds'>> {
  const migrations: PlannedMigration[] = [];
  for (const { number, name, sql } of steps.filter((step) => step.number > schema)) {
    const counts: [table: string, rows: number][] = [];
    for (const table of tablesIn(sql)) counts.push([table, (await count(table)) ?? 0]);
    const concerned = counts.filter(([, rows]) => rows > 0);
    const rows = concerned.reduce((sum, [, one]) => sum + one, 0);
    migrations.push({ number, name, tables: concerned.map(([table]) => table), rows });
  }
  const rows = migrations.reduce((sum, step) => sum + step.rows, 0);
  return { migrations, seconds: Math.ceil(rows * secondsPerRow + migrations.length * secondsPerStep) };
}

/** Names of tables whose rows a script may touch. */
function tablesIn(sql: string): string[] {
  const touched =
    /\b(?:ALTER TABLE|DROP TABLE|UPDATE|DELETE FROM|INDEX \w+ ON|INSERT INTO \w+ SELECT [^;]* FROM)\s+(?:ONLY\s+|IF EXISTS\s+)?(\w+)/gi;
  return [...new Set([...sql.matchAll(touched)].map(([, table = '']) => table))];
}
