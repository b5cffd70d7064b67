import type { GetActivityAnswer as Activity } from '@wajah/client';
import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { useLoad } from '../../state/request.ts';
import { type Dates, type Range, type Window, windowOf } from './windows.ts';

/** What the page is about. */
export interface Filter {
  readonly range: Range;
  readonly dates: Dates;
  /** Path of an endpoint; '' for all. */
  readonly route: string;
  /** Status of the answer; '' for all. */
  readonly status: string;
}

/** The calls of a time range. */
export interface Report {
  readonly window: Window;
  readonly found: Activity;
  /** When it was read, milliseconds; equal windows are read again and again. */
  readonly readAt: number;
}

export function useActivity() {
  const today = new Date().toISOString().slice(0, 10);
  const dates = { first: today, last: today };
  const [filter, setFilter] = useState<Filter>({ range: 'week', route: '', status: '', dates });
  const load = useLoad((signal) => read(filter, signal), JSON.stringify(filter));
  return { filter, change: (part: Partial<Filter>) => setFilter({ ...filter, ...part }), load };
}

async function read({ range, dates, route, status }: Filter, signal: AbortSignal): Promise<Report> {
  const window = windowOf(range, dates, new Date());
  const only = { ...(route !== '' && { route }), ...(status !== '' && { for_status: status }) };
  const times = { from: window.from.toISOString(), to: window.to.toISOString() };
  const found = await wajah.getActivity({ ...times, ...only }, { signal });
  return { window, found, readAt: Date.now() };
}
