import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import type { ReportSection } from './figure.ts';
import { tables } from './tables.ts';

/** Sections, notes and plots of a measurement. */
export interface Measured {
  readonly sections: readonly ReportSection[];
  readonly notes: readonly string[];
  /** Paths of SVG files. */
  readonly plots: readonly string[];
}

/**
 * Measures and writes tables, notes and plots into a block of a Markdown page.
 * @throws Error before measuring, when the file does not exist or has no such block
 */
export async function measureInto<T extends Measured>(
  file: string,
  name: string,
  measure: () => Promise<T>,
): Promise<T> {
  replaceBlock(readFileSync(file, 'utf8'), name, '');
  const measured = await measure();
  const images = measured.plots.map((path) => {
    const words = basename(path, '.svg').replaceAll('-', ' ');
    return `![${words}](${relative(dirname(file), path)})`;
  });
  const text = [tables(measured.sections), ...measured.notes, ...images].join('\n\n');
  // Reads the page again: it may have changed during the minutes of measuring.
  writeFileSync(file, replaceBlock(readFileSync(file, 'utf8'), name, text));
  return measured;
}

/**
 * Replaces the text between `<!-- measured: name -->` and `<!-- end: name -->` in a page.
 * @throws Error when the page has no such block
 */
export function replaceBlock(page: string, name: string, text: string): string {
  const start = `<!-- measured: ${name} -->`;
  const end = `<!-- end: ${name} -->`;
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`the page has no block "${name}" (${start} … ${end})`);
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`;
}
