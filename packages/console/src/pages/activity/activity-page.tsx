import { useState } from 'preact/hooks';
import type { Activity } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { words } from '../../i18n/words.ts';
import { useLoad } from '../../state/use-call.ts';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Bones, Empty } from '../../ui/states.tsx';
import { CallsChart, LatencyChart } from './call-charts.tsx';
import { Limits } from './limits.tsx';
import { Refusals } from './refusals.tsx';
import { RouteTable } from './route-table.tsx';
import { ScoreChart } from './score-chart.tsx';
import { Totals } from './totals.tsx';

const hours = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;
type Range = keyof typeof hours;

/** What the client asked of the server, and how it was answered. */
export function ActivityPage() {
  const [range, setRange] = useState<Range>('day');
  const load = useLoad((signal) => wajah.getActivity(window(hours[range]), { signal }), range);
  const { activity } = words.value;
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
      {!load.answer && load.busy && <Bones lines={6} />}
      {load.answer && <Report activity={load.answer} />}
    </div>
  );
}

function window(span: number): { from: string; to: string; buckets: number } {
  const to = Date.now();
  return { from: new Date(to - span * 3_600_000).toISOString(), to: new Date(to).toISOString(), buckets: 60 };
}

function Report({ activity: told }: { activity: Activity }) {
  const { activity } = words.value;
  const calls = told.series.calls.reduce((sum, count) => sum + count, 0);
  return (
    <>
      <Totals activity={told} calls={calls} />
      {calls === 0 ? (
        <Empty icon="activity" title={activity.empty} text={activity.emptyText} />
      ) : (
        <div class="cards two">
          <CallsChart activity={told} />
          <LatencyChart activity={told} />
          <ScoreChart kind="similarity" histogram={told.similarity} />
          <ScoreChart kind="spoof" histogram={told.spoof} />
          <RouteTable routes={told.routes} />
        </div>
      )}
      <Limits activity={told} />
      <Refusals refusals={told.refusals} />
    </>
  );
}
