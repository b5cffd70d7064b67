import { availableParallelism, cpus, totalmem } from 'node:os';
import { exactInterval } from '../metrics/bounds.ts';
import type { PairsResult } from './run-pairs.ts';
import type { PeopleResult } from './run-people.ts';

type Times = ReadonlyMap<string, readonly number[]>;

/** The table of a run over people. */
export function peopleReport(result: PeopleResult, times: Times): string {
  const { genuine, impostors, identified, failures, mistakes, small } = result;
  const probes = genuine.trials;
  const forced = small === 0 ? '' : ` (${small} with force_register: small faces)`;
  return lines(
    `${result.people} people, ${result.enrolled} enrolled with one picture each${forced}, ${probes} further pictures as probes`,
    '',
    rate('genuine accepted', genuine.accepted, genuine.trials),
    rate('impostors refused', impostors.refused, impostors.trials),
    rate('identified right', identified.right, probes),
    rate('identified wrong', identified.wrong, probes),
    rate('not identified', identified.nobody, probes),
    ...list('mistakes', mistakes),
    ...list('pictures the server refused', failures),
    '',
    timeTable(times),
  );
}

/** The table of a run over pairs. */
export function pairsReport({ genuine, impostors, wrong }: PairsResult, times: Times): string {
  return lines(
    `${genuine.trials + impostors.trials} pairs: ${genuine.trials} of one person, ${impostors.trials} of two`,
    '',
    rate('genuine accepted', genuine.accepted, genuine.trials),
    rate('impostors refused', impostors.refused, impostors.trials),
    rate('decided wrong', wrong.length, genuine.trials + impostors.trials),
    ...list('decided wrong', wrong),
    '',
    timeTable(times),
  );
}

/** The machine and what ran on it. */
export function machineLine(workers: number): string {
  const model = cpus()[0]?.model.replace(/\s+/g, ' ').trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  const size = `${availableParallelism()} cores, ${memory} GiB`;
  return `Machine: ${model}, ${size}; Node ${process.versions.node}; ${workers} engine ${workers === 1 ? 'thread' : 'threads'}, as many calls at a time.`;
}

/**
 * The value below which a share of the values lies, by linear interpolation.
 * @param share 0…1
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

function rate(name: string, count: number, trials: number): string {
  const percent = (value: number) => (100 * value).toFixed(1);
  const { low, high } = exactInterval(count, trials);
  const share = trials === 0 ? '' : `${percent(count / trials).padStart(6)} %`;
  const bounds = trials === 0 ? '' : `  95 %: ${percent(low)}–${percent(high)}`;
  return `${name.padEnd(18)}${`${count} of ${trials}`.padStart(14)}  ${share}${bounds}`;
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', `${title}:`, ...items.map((item) => `  ${item}`)];
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
