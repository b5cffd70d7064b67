import { messages } from '../../i18n/messages.ts';
import { ExportButton } from '../../ui/export-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page/shell.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { CallsChart, LatencyChart } from './call-charts.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Limits } from './limits.tsx';
import { Refusals } from './refusals.tsx';
import { RouteTable } from './route-table.tsx';
import { ScoreChart } from './score-chart.tsx';
import { Totals } from './totals.tsx';
import { type Filter, type Report, useActivity } from './use-activity.ts';

/** The client's calls in a time range. */
export function ActivityPage() {
  const { filter, change, load } = useActivity();
  const { activity } = messages.value;
  const report = load.answer;
  const range = filter.range ?? report?.range ?? 'day';
  return (
    <div class="page stack wide">
      <PageHeader title={activity.title} lead={activity.lead} />
      <FilterBar filter={filter} range={range} report={report?.now} onChange={change} />
      <div class="row">
        <button type="button" class="button" disabled={load.busy} onClick={load.reload}>
          <Icon name="refresh" />
          {activity.refresh}
        </button>
        {report && (
          <ExportButton
            name={activity.callsTitle}
            file="wajah-activity"
            table={async () => intervalsOf(report)}
          />
        )}
      </div>
      {filter.range === null && range === 'hour' && <Notice>{activity.firstHour}</Notice>}
      {load.error && <ErrorNotice error={load.error} onRetry={load.reload} />}
      {!report && load.busy && <Skeleton lines={6} />}
      {report && <Charts report={report} filter={filter} />}
    </div>
  );
}

function Charts({ report, filter }: { report: Report; filter: Filter }) {
  const { activity } = messages.value;
  const { now } = report;
  const calls = now.series.calls.reduce((sum, count) => sum + count, 0);
  return (
    <>
      <Totals report={report} route={filter.route} />
      {calls === 0 ? (
        <EmptyState icon="activity" title={activity.empty} text={activity.emptyText} />
      ) : (
        <div class="cards charts">
          <CallsChart report={report} />
          <LatencyChart activity={now} />
          <ScoreChart kind="similarity" histogram={now.similarity} />
          <ScoreChart kind="spoof" histogram={now.spoof} />
          <RouteTable routes={now.routes} />
        </div>
      )}
      <Refusals filter={filter} window={report.window} readAt={report.readAt} />
      <Limits activity={now} />
    </>
  );
}

/** The intervals of the charts as a table. */
function intervalsOf({ now: { series, bucket_seconds }, before }: Report) {
  const heading = ['time', 'seconds', 'calls', 'refused', 'p50_ms', 'p95_ms', 'p99_ms', 'calls_before'];
  const rows = series.time.map((time, at) => [
    ...[time, bucket_seconds, series.calls[at], series.errors[at]],
    ...[series.latency_p50[at], series.latency_p95[at], series.latency_p99[at]],
    before.series.calls[at],
  ]);
  return { heading, rows };
}
