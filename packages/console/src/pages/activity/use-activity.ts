import { useState } from 'preact/hooks';
import type { Activity } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { dayText } from '../../i18n/format.ts';
import { useLoad } from '../../state/request.ts';
import { type Dates, type Range, type Window, windowOf } from './windows.ts';

/** What the page is about. */
export interface Filter {
  /** Null: the last day, or the last hour where all calls of the day are of it. */
  readonly range: Range | null;
  readonly dates: Dates;
  /** Path of an endpoint; '' for all. */
  readonly route: string;
  /** Status of the answer; '' for all. */
  readonly status: string;
}

/** The calls of a time range. */
export interface Report {
  readonly range: Range;
  readonly window: Window;
  readonly found: Activity;
  /** When it was read, milliseconds; equal windows are read again and again. */
  readonly readAt: number;
}

export function useActivity() {
  const today = dayText(new Date());
  const [filter, setFilter] = useState<Filter>({
    range: null,
    route: '',
    status: '',
    dates: { first: today, last: today },
  });
  const load = useLoad((signal) => read(filter, signal), JSON.stringify(filter));
  return { filter, change: (part: Partial<Filter>) => setFilter({ ...filter, ...part }), load };
}

async function read(filter: Filter, signal: AbortSignal): Promise<Report> {
  if (filter.range !== null) return readRange(filter, filter.range, signal);
  // The last hour began within another hour of the clock: its own calls decide.
  const [day, hour] = await Promise.all([
    readRange(filter, 'day', signal),
    readRange(filter, 'hour', signal),
  ]);
  const [ofDay, ofHour] = [day, hour].map(({ found }) => sumOf(found.series.calls)) as [number, number];
  return ofHour > 0 && ofHour >= ofDay ? hour : day;
}

export const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

async function readRange(
  { dates, route, status }: Filter,
  range: Range,
  signal: AbortSignal,
): Promise<Report> {
  const window = windowOf(range, dates, new Date());
  const only = { ...(route !== '' && { route }), ...(status !== '' && { for_status: status }) };
  const { from, to, buckets } = window;
  const times = { from: from.toISOString(), to: to.toISOString(), buckets };
  const found = await wajah.getActivity({ ...times, ...only }, { signal });
  return { range, window, found, readAt: Date.now() };
}
