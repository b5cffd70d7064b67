import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machine } from '../run/command.ts';
import type { CodeDigests } from './code-digest.ts';
import type { ReportSection } from './figure.ts';
import { type ResultTable, tables } from './tables.ts';

/** Sections, notes and plots of a measurement. */
export interface Measured {
  /** The packs, and the pictures where they are known. */
  readonly pack: string;
  readonly sections: readonly ReportSection[];
  readonly notes: readonly string[];
  /** Paths of SVG files. */
  readonly plots: readonly string[];
}

/** What a file of results holds, beside the machine. */
export interface Result {
  readonly pack: string;
  readonly tables: readonly ResultTable[];
  readonly notes: readonly string[];
  /** That measured; by default this one. */
  readonly machine?: string;
  /** The commit that was measured, and what of it the result depends on. */
  readonly measured?: { readonly commit: string } & CodeDigests;
}

/**
 * Measures and writes tables and notes into `<folder>/<name>.json`.
 * @throws Error before measuring, when the folder cannot be written
 */
export async function measureInto<T extends Measured>(
  folder: string,
  name: string,
  measure: () => Promise<T>,
): Promise<T> {
  mkdirSync(folder, { recursive: true });
  accessSync(folder, constants.W_OK);
  const measured = await measure();
  writeResult(folder, name, resultOf(measured));
  return measured;
}

/** A result is published: without the path of the pictures. */
export function resultOf({ pack, sections, notes }: Measured): Result {
  return { pack: pack.split(' of ')[0]!, tables: tables(sections), notes };
}

/** Writes a result as JSON, with a line for each row. */
export function writeResult(
  folder: string,
  name: string,
  { pack, machine: on = machine(), tables, notes, measured }: Result,
): void {
  const result = { pack, machine: on, measured, tables, notes };
  const text = JSON.stringify(result, null, 1).replace(/\[\n {4,}("[^[\]]*")\n *\]/g, (_, cells: string) => {
    return `[${cells.replace(/\n +/g, ' ')}]`;
  });
  writeFileSync(join(folder, `${name}.json`), `${text}\n`);
}
