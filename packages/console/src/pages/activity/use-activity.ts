import { useState } from 'preact/hooks';
import type { Activity } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { dayText } from '../../i18n/format.ts';
import { useLoad } from '../../state/request.ts';
import { type Dates, type Range, type Window, windowOf } from './windows.ts';

/** What the page is about. */
export interface Filter {
  /** Null: the last day, or the last hour where nothing was called before. */
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
  const report = await readRange(filter, filter.range ?? 'day', signal);
  const { calls } = report.found.series;
  const isNew = calls.some((count) => count > 0) && calls.slice(0, -1).every((count) => count === 0);
  return filter.range === null && isNew ? readRange(filter, 'hour', signal) : report;
}

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
