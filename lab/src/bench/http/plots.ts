import { plot, type Series } from '../../plots/svg.ts';
import { CLIENTS, LOADS, type Row, type Served } from './measure.ts';

const COLOURS = ['#1f77b4', '#d62728', '#2ca02c', '#9467bd'];

/** Throughput of one worker that one client calls: what the ratios are of. */
export const unitOf = ([first]: readonly Served[]): Row => first!.clients[0]!;

/** SVG files by name: throughput against clients, and latency against load. */
export function httpPlots(served: readonly Served[]): Record<string, string> {
  return { 'http-throughput.svg': throughput(served), 'http-latency.svg': latency(served) };
}

const named = ({ workers }: Served) => `${workers} worker${workers === 1 ? '' : 's'}`;

function throughput(served: readonly Served[]): string {
  const unit = unitOf(served).perSecond;
  const series = served.map((one, i): Series => {
    const points = one.clients.map(({ perSecond }, at) => [CLIENTS[at]!, perSecond / unit] as const);
    return { name: named(one), colour: COLOURS[i]!, points };
  });
  const x = { label: 'clients, one call at a time each', from: 0, to: 5 * Math.ceil(CLIENTS.at(-1)! / 5) };
  const y = { label: 'calls a second ÷ of one client and one worker', from: 0, to: top(series) };
  return plot('Throughput of verify-face', x, y, series);
}

function latency(served: readonly Served[]): string {
  const unit = unitOf(served).p50;
  const series = served.flatMap((one, i) =>
    (['p50', 'p95'] as const).map((part, at): Series => {
      const points = one.loads.map((row, load) => [100 * LOADS[load]!, row[part] / unit] as const);
      return { name: `${named(one)}, ${part}`, colour: COLOURS[2 * i + at]!, points };
    }),
  );
  const x = { label: 'load, % of the capacity of as many workers', from: 0, to: 100 };
  const y = { label: 'latency ÷ median of one client and one worker', from: 0, to: top(series) };
  return plot('Latency of verify-face, calls at random times', x, y, series);
}

/** A multiple of five above all values: six ticks are whole numbers then. */
function top(series: readonly Series[]): number {
  const most = Math.max(...series.flatMap(({ points }) => points.map(([, value]) => value)));
  return most <= 2.5 ? 2.5 : 5 * Math.ceil(most / 5);
}
