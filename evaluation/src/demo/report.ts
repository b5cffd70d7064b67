import { availableParallelism, cpus, totalmem } from 'node:os';
import { exactInterval } from '../metrics/bounds.ts';
import type { PairsResult } from './run-pairs.ts';
import type { PeopleResult } from './run-people.ts';

type Times = ReadonlyMap<string, readonly number[]>;

/** Error rates of a run over people, counts and exact 95 % intervals, and the times of calls. */
export function peopleReport(result: PeopleResult, times: Times): string {
  const { genuine, impostors, identified, mistakes, small } = result;
  const probes = genuine.trials;
  const forced = small === 0 ? '' : ` (${small} with force_register: small faces)`;
  return lines(
    `${result.people} people, ${result.enrolled} enrolled with one picture each${forced}, ${probes} further pictures as probes`,
    '',
    ...errorRates(genuine, impostors),
    rate('FNIR (enrolled person not returned)', identified.wrong + identified.nobody, probes),
    rate('  another person returned', identified.wrong, probes),
    rate('  nobody returned', identified.nobody, probes),
    ...mistakesText([
      ['false non-matches: a picture was not verified as its person', mistakes.falseNonMatches],
      ['false matches: a picture was verified as another person', mistakes.falseMatches],
      ['false identifications: another person was returned', mistakes.misidentified],
      ['not identified: nobody was returned', mistakes.notIdentified],
      ['refused: the server could not use the picture', mistakes.refused],
    ]),
    '',
    timeTable(times),
  );
}

/** Error rates of a run over pairs, counts and exact 95 % intervals, and the times of calls. */
export function pairsReport({ genuine, impostors, mistakes }: PairsResult, times: Times): string {
  const all = Object.values(mistakes).flat().length;
  return lines(
    `${genuine.trials + impostors.trials} pairs: ${genuine.trials} genuine, ${impostors.trials} impostor`,
    '',
    ...errorRates(genuine, impostors),
    rate('all errors', all, genuine.trials + impostors.trials),
    ...mistakesText([
      ['false non-matches: one person, not matched', mistakes.falseNonMatches],
      ['false matches: two people, matched', mistakes.falseMatches],
      ['refused: the server could not use a picture', mistakes.refused],
    ]),
    '',
    timeTable(times),
  );
}

/** Processor, memory, Node version and engine threads. */
export function machineLine(workers: number): string {
  const model = cpus()[0]?.model.replace(/\s+/g, ' ').trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  const size = `${availableParallelism()} cores, ${memory} GiB`;
  return `Machine: ${model}, ${size}; Node ${process.versions.node}; ${workers} engine ${workers === 1 ? 'thread' : 'threads'}, as many calls at a time.`;
}

/**
 * Quantile by linear interpolation.
 * @param share of the values that lie below it, 0…1
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

function errorRates(genuine: PairsResult['genuine'], impostors: PairsResult['impostors']): string[] {
  return [
    rate('FNMR (genuine pairs not matched)', genuine.trials - genuine.accepted, genuine.trials),
    rate('FMR (impostor pairs matched)', impostors.trials - impostors.refused, impostors.trials),
  ];
}

function rate(name: string, count: number, trials: number): string {
  const percent = (value: number) => (100 * value).toFixed(1);
  const { low, high } = exactInterval(count, trials);
  const share = trials === 0 ? '' : `${percent(count / trials).padStart(6)} %`;
  const bounds = trials === 0 ? '' : `  95 %: ${percent(low)}–${percent(high)}`;
  return `${name.padEnd(36)}${`${count} of ${trials}`.padStart(13)}  ${share}${bounds}`;
}

/** Every kind is named, also where there is none of it. */
function mistakesText(kinds: readonly (readonly [string, readonly string[]])[]): string[] {
  return [
    '',
    'Mistakes',
    ...kinds.flatMap(([kind, items]) => [
      `  ${kind}: ${items.length || 'none'}`,
      ...items.map((item) => `    ${item}`),
    ]),
  ];
}

function timeTable(times: Times): string {
  const rows = [...times].map(([call, values]) => {
    const cells = [
      String(values.length),
      quantile(values, 0.5).toFixed(0),
      quantile(values, 0.95).toFixed(0),
    ];
    return call.padEnd(16) + cells.map((cell) => cell.padStart(8)).join('');
  });
  const head = 'ms per call'.padEnd(16) + ['calls', 'median', 'p95'].map((cell) => cell.padStart(8)).join('');
  return lines(head, ...rows);
}

function lines(...text: string[]): string {
  return text.join('\n');
}
