import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** What is known of a value of a network from pictures. */
export interface QuantisedValue {
  /** Values beyond it are clipped. */
  readonly range: readonly [number, number];
  /** Mean of each channel, in 255ths of the range from its lower end. */
  readonly means: Uint8Array;
}

const schema = z.object({
  values: z.record(
    z.string(),
    z.object({
      range: z.tuple([z.number().max(0), z.number().positive()]),
      means: z.base64().transform((text) => Uint8Array.from(Buffer.from(text, 'base64'))),
    }),
  ),
});

/**
 * Reads the values of a network that are quantised, by the names that they have in the converted graph; written by
 * `lab/src/training/quantise.ts`.
 * @throws Error
 */
export async function readQuantisedValues(file: URL): Promise<ReadonlyMap<string, QuantisedValue>> {
  const parsed = schema.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (parsed.success) return new Map(Object.entries(parsed.data.values));
  throw new Error(`The quantised values are not valid: ${z.prettifyError(parsed.error)}`);
}
