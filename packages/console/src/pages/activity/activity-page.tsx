import { type Activity, unlimited } from '../../api/types.ts';
import { formatMilliseconds, formatNumber, formatPercent } from '../../i18n/format.ts';
import { activity, common, door } from '../../i18n/messages.ts';
import { refusalText } from '../../i18n/refusal-text.ts';
import { hrefOf } from '../../state/route.ts';
import { Card, StackedTable, UsageBar } from '../../ui/card.tsx';
import { InputField, Segments, SelectField } from '../../ui/field.tsx';
import { Button } from '../../ui/icon.tsx';
import { ExportButton } from '../../ui/list.tsx';
import { EmptyState, LoadState, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/shell.tsx';
import { CallsChart, LatencyChart } from './charts.tsx';
import { Refusals } from './refusals.tsx';
import { type Filter, type Report, sumOf, useActivity } from './use-activity.ts';
import { type Dates, type Range, ranges } from './windows.ts';

/** The client's calls in a time range. */
export function ActivityPage() {
  const { filter, change, load } = useActivity();
  const report = load.answer;
  const range = filter.range ?? report?.range ?? 'day';
  return (
    <Page title={common.activity} lead={activity.lead}>
      <p class="hint">
        {activity.whoCame} <a href={hrefOf('recognise', 'door')}>{door.title}</a>
      </p>
      <FilterBar filter={filter} range={range} report={report?.found} onChange={change} />
      <div class="row">
        <Button icon="refresh" disabled={load.busy} onClick={load.reload}>
          {activity.refresh}
        </Button>
        {report && (
          <ExportButton
            name={activity.callsTitle}
            file="wajah-activity"
            table={async () => intervalsOf(report)}
          />
        )}
      </div>
      {filter.range === null && range === 'hour' && <Notice>{activity.firstHour}</Notice>}
      <LoadState load={load} lines={6}>
        {(found) => <Charts report={found} filter={filter} />}
      </LoadState>
    </Page>
  );
}

function Charts({ report, filter }: { report: Report; filter: Filter }) {
  const { found } = report;
  const calls = sumOf(found.series.calls);
  return (
    <>
      <QuotaNotices activity={found} />
      <Totals calls={calls} errors={sumOf(found.series.errors)} />
      <div class="columns">
        <Refusals filter={filter} window={report.window} readAt={report.readAt} />
        <Limits activity={found} />
      </div>
      {calls === 0 ? (
        <EmptyState icon="activity" title={activity.empty} text={activity.emptyText} />
      ) : (
        <div class="cards charts">
          <CallsChart activity={found} />
          <LatencyChart activity={found} />
          <RouteTable routes={found.routes} />
        </div>
      )}
    </>
  );
}

/** The intervals of the charts as a table. */
function intervalsOf({ found: { series, bucket_seconds } }: Report) {
  const heading = ['time', 'seconds', 'calls', 'refused', 'p50_ms', 'p95_ms', 'p99_ms'];
  const rows = series.time.map((time, at) => [
    ...[time, bucket_seconds, series.calls[at], series.errors[at]],
    ...[series.latency_p50[at], series.latency_p95[at], series.latency_p99[at]],
  ]);
  return { heading, rows };
}

interface FilterBarProps {
  readonly filter: Filter;
  readonly range: Range;
  /** Has the endpoints and statuses to choose from. */
  readonly report: Activity | undefined;
  readonly onChange: (part: Partial<Filter>) => void;
}

/** Time range, endpoint and status of what the page shows. */
function FilterBar({ filter, range, report, onChange }: FilterBarProps) {
  return (
    <div class="stack">
      <Segments
        label={activity.range}
        value={range}
        options={ranges.map((name) => ({ value: name, text: activity[name] }))}
        onChoose={(chosen) => onChange({ range: chosen })}
      />
      <div class="filters">
        {range === 'dates' && <DateFields dates={filter.dates} onChange={(dates) => onChange({ dates })} />}
        <SelectField
          label={activity.route}
          value={filter.route}
          options={optionsOf(
            filter.route,
            (report?.routes ?? []).map(({ route, calls }) => [route, route, calls]),
          )}
          onChange={(route) => onChange({ route })}
        />
        <SelectField
          label={common.state}
          value={filter.status}
          options={optionsOf(
            filter.status,
            (report?.statuses ?? []).map(({ status, status_message: message, count }) => [
              status,
              `${status} · ${status === '200' ? message : refusalText({ status, message, detail: '' }).title}`,
              count,
            ]),
          )}
          onChange={(status) => onChange({ status })}
        />
      </div>
    </div>
  );
}

/** The chosen value stays in the list when no call of the time range has it. */
function optionsOf(
  chosen: string,
  found: readonly (readonly [value: string, text: string, count: number])[],
) {
  const missing =
    chosen === '' || found.some(([value]) => value === chosen) ? [] : [[chosen, chosen, 0] as const];
  return [
    ['', common.allOf] as const,
    ...[...found, ...missing].map(
      ([value, text, count]) => [value, `${text} (${formatNumber(count)})`] as const,
    ),
  ];
}

function DateFields({ dates, onChange }: { dates: Dates; onChange: (dates: Dates) => void }) {
  const field = (label: string, name: keyof Dates) => (
    <InputField
      label={label}
      type="date"
      value={dates[name]}
      onChange={(day) => onChange({ ...dates, [name]: day })}
    />
  );
  return (
    <>
      {field(activity.firstDay, 'first')}
      {field(activity.lastDay, 'last')}
    </>
  );
}

/** Totals of the time range. */
function Totals({ calls, errors }: { calls: number; errors: number }) {
  const totals = [
    [common.calls, formatNumber(calls)],
    [activity.errors, formatNumber(errors)],
    [activity.errorShare, calls === 0 ? '–' : formatPercent(errors / calls, 1)],
  ] as const;
  return (
    <dl class="totals">
      {totals.map(([name, value]) => (
        <div key={name} class="card">
          <dt class="muted small">{name}</dt>
          <dd class="large numbers">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Calls by endpoint, in descending order. */
function RouteTable({ routes }: { routes: Activity['routes'] }) {
  const sorted = [...routes].sort((a, b) => b.calls - a.calls);
  return (
    <Card title={activity.routes} wide>
      <StackedTable
        columns={[
          [activity.route, ({ route }) => route, 'mono'],
          [common.calls, ({ calls }) => formatNumber(calls), 'end numbers'],
          [activity.errors, ({ errors }) => formatNumber(errors), 'end numbers'],
          ['p50', ({ latency_p50 }) => formatMilliseconds(latency_p50), 'end numbers'],
          ['p95', ({ latency_p95 }) => formatMilliseconds(latency_p95), 'end numbers'],
        ]}
        rows={sorted}
        keyOf={({ route }) => route}
      />
    </Card>
  );
}

const quotas = [
  ['n_api_hits', common.calls],
  ['n_face', common.faces],
  ['n_facegallery', common.galleries],
] as const;

/** Quotas of which 80 % and more are used. */
function QuotaNotices({ activity: { counters, limits } }: { activity: Activity }) {
  return quotas.map(([quota, name]) => {
    const [left, limit] = [counters[quota], limits[quota]];
    if (limit >= unlimited || limit === 0 || 5 * left > limit) return null;
    const say = left === 0 ? activity.quotaUsedUp : activity.quotaNearlyUsedUp;
    return (
      <Notice key={quota} tone="warn">
        {say(name, formatNumber(limit - left), formatNumber(limit))}
      </Notice>
    );
  });
}

/** The used and the remaining part of each quota. */
function Limits({ activity: { counters, limits } }: { activity: Activity }) {
  return (
    <Card title={activity.limits}>
      {quotas.map(([quota, name]) => {
        const [left, limit] = [counters[quota], limits[quota]];
        const [all, text] =
          limit >= unlimited
            ? [0, common.unlimited]
            : [limit, activity.leftOf(formatNumber(left), formatNumber(limit))];
        return <UsageBar key={quota} name={name} used={all && limit - left} all={all} text={text} />;
      })}
    </Card>
  );
}
