import { useState } from 'preact/hooks';
import type { Activity } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { messages } from '../../i18n/messages.ts';
import { useLoad } from '../../state/use-request.ts';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page/shell.tsx';
import { Segments } from '../../ui/segments.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { CallsChart, LatencyChart } from './call-charts.tsx';
import { Limits } from './limits.tsx';
import { Refusals } from './refusals.tsx';
import { RouteTable } from './route-table.tsx';
import { ScoreChart } from './score-chart.tsx';
import { Totals } from './totals.tsx';

const hours = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;
type Range = keyof typeof hours;

/** The client's calls in a time range. */
export function ActivityPage() {
  const [range, setRange] = useState<Range>('day');
  const load = useLoad((signal) => wajah.getActivity(window(hours[range]), { signal }), range);
  const { activity } = messages.value;
  return (
    <div class="page stack wide">
      <PageHeader title={activity.title} lead={activity.lead} />
      <div class="row">
        <Segments
          label={activity.range}
          value={range}
          options={(Object.keys(hours) as Range[]).map((name) => ({ value: name, text: activity[name] }))}
          onChoose={setRange}
        />
        <button type="button" class="button" disabled={load.busy} onClick={load.reload}>
          <Icon name="refresh" />
          {activity.refresh}
        </button>
      </div>
      {load.error && <ErrorNotice error={load.error} onRetry={load.reload} />}
      {!load.answer && load.busy && <Skeleton lines={6} />}
      {load.answer && <Report activity={load.answer} />}
    </div>
  );
}

function window(span: number): { from: string; to: string; buckets: number } {
  const to = Date.now();
  return { from: new Date(to - span * 3_600_000).toISOString(), to: new Date(to).toISOString(), buckets: 60 };
}

function Report({ activity: report }: { activity: Activity }) {
  const { activity } = messages.value;
  const calls = report.series.calls.reduce((sum, count) => sum + count, 0);
  return (
    <>
      <Totals activity={report} calls={calls} />
      {calls === 0 ? (
        <EmptyState icon="activity" title={activity.empty} text={activity.emptyText} />
      ) : (
        <div class="cards two">
          <CallsChart activity={report} />
          <LatencyChart activity={report} />
          <ScoreChart kind="similarity" histogram={report.similarity} />
          <ScoreChart kind="spoof" histogram={report.spoof} />
          <RouteTable routes={report.routes} />
        </div>
      )}
      <Limits activity={report} />
      <Refusals refusals={report.refusals} />
    </>
  );
}
