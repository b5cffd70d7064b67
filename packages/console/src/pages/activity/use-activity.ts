import { useState } from 'preact/hooks';
import type { Activity } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { useLoad } from '../../state/request.ts';
import { before, type Dates, dateText, type Range, type Window, windowOf } from './windows.ts';

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

/** The calls of a time range, and of the one before it. */
export interface Report {
  readonly range: Range;
  readonly window: Window;
  readonly now: Activity;
  readonly before: Activity;
  /** When it was read, milliseconds; equal windows are read again and again. */
  readonly readAt: number;
}

interface ActivityState {
  readonly filter: Filter;
  readonly load: ReturnType<typeof useLoad<Report>>;
  change(part: Partial<Filter>): void;
}

export function useActivity(): ActivityState {
  const today = dateText(new Date());
  const [filter, setFilter] = useState<Filter>({
    range: null,
    route: '',
    status: '',
    dates: { first: today, last: today },
  });
  const load = useLoad((signal) => read(filter, signal), JSON.stringify(filter));
  return { filter, change: (part) => setFilter({ ...filter, ...part }), load };
}

async function read(filter: Filter, signal: AbortSignal): Promise<Report> {
  const report = await readRange(filter, filter.range ?? 'day', signal);
  const { calls } = report.now.series;
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
  const ofWindow = ({ from, to, buckets }: Window) =>
    wajah.getActivity({ from: from.toISOString(), to: to.toISOString(), buckets, ...only }, { signal });
  const [now, earlier] = await Promise.all([ofWindow(window), ofWindow(before(window))]);
  return { range, window, now, before: earlier, readAt: Date.now() };
}
