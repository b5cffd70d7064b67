import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { PadExample } from './examples.ts';

/** JSON has no NaN: null stands for it. */
type Stored = Omit<PadExample, 'values'> & { readonly values: Record<string, (number | null)[]> };

/**
 * Examples of a file of measured values, one JSON object on each line; measures and writes them where it does not exist.
 * Measuring takes minutes, training seconds.
 */
export async function cachedExamples(
  file: string | undefined,
  measure: () => Promise<PadExample[]>,
): Promise<PadExample[]> {
  if (file !== undefined && existsSync(file)) return readExamples(readFileSync(file, 'utf8'));
  const examples = await measure();
  if (file !== undefined) writeFileSync(file, writtenExamples(examples));
  return examples;
}

export function readExamples(text: string): PadExample[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const stored = JSON.parse(line) as Stored;
      const known = Object.entries(stored.values).map(([name, values]) => [
        name,
        values.map((value) => value ?? Number.NaN),
      ]);
      return { ...stored, values: Object.fromEntries(known) as PadExample['values'] };
    });
}

export function writtenExamples(examples: readonly PadExample[]): string {
  const lines = examples.map(({ values, ...rest }) => {
    const stored = Object.entries(values).map(([name, some]) => [
      name,
      Array.from(some, (value) => (Number.isNaN(value) ? null : Number(value.toPrecision(6)))),
    ]);
    return JSON.stringify({ ...rest, values: Object.fromEntries(stored) });
  });
  return `${lines.join('\n')}\n`;
}
