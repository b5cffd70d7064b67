import { parseArgs } from 'node:util';
import { DEFAULT_FOLDER, type Split } from '../data/eval-folder.ts';

/** Parts of the results: tasks of `wajah evaluate`, enrolment of both splits, and the comparison with another pack. */
const PARTS = [
  'verification',
  'identification',
  'idcard',
  'detection',
  'mask',
  'eyes',
  'mouth',
  'pose',
  'enrolment',
  'packs',
] as const;
export type Part = (typeof PARTS)[number];

export interface MeasureOptions {
  readonly parts: readonly Part[];
  readonly data: string;
  readonly cache: string;
  readonly split: Split;
  /** Folder of results; undefined: they are only printed. */
  readonly out: string | undefined;
  /** Folder for SVG files. */
  readonly plots: string | undefined;
  /** Folder of installed packs. */
  readonly packs: string;
  /** Packs to compare with the built-in one. */
  readonly beside: readonly string[];
}

/**
 * Reads `[part …] --data FOLDER --cache FOLDER --split dev|test --out FOLDER --plots FOLDER --packs FOLDER --beside PACK …`.
 * Without parts: all, on `dev` without the enrolment, which is of both splits.
 * @throws Error that names the option
 */
export function readMeasureOptions(args: readonly string[] = process.argv.slice(2)): MeasureOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      data: { type: 'string', default: DEFAULT_FOLDER },
      cache: { type: 'string', default: '.cache' },
      split: { type: 'string', default: 'test' },
      out: { type: 'string' },
      plots: { type: 'string' },
      packs: { type: 'string', default: 'data/packs' },
      beside: { type: 'string', multiple: true, default: [] },
    },
  });
  const { split, data, cache, out, plots, packs, beside } = values;
  if (split !== 'dev' && split !== 'test') throw new Error(`--split is "${split}", not dev or test`);
  const parts = positionals.map(partOf);
  if (parts.includes('packs') && beside.length === 0) throw new Error('packs needs --beside PACK');
  const all = PARTS.filter((part) => part !== 'enrolment' || split === 'test');
  return { parts: parts.length > 0 ? parts : all, data, cache, split, out, plots, packs, beside };
}

function partOf(given: string): Part {
  const part = PARTS.find((one) => one === given);
  if (part) return part;
  throw new Error(`"${given}" is none of ${PARTS.join(', ')}`);
}
