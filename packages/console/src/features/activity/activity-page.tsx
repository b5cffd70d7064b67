import '../../styles/charts.css';
import type { GetActivityAnswer as Activity } from '@wajah/client';
import { unlimited } from '@wajah/contract/values';
import { formatClock, formatNumber, formatPercent, locale } from '../../i18n/format.ts';
import { common, door } from '../../i18n/messages.ts';
import { refusalText } from '../../i18n/refusal-text.ts';
import { hrefOf } from '../../state/route.ts';
import { Card, StackedTable, UsageBar } from '../../ui/card.tsx';
import { InputField, Segments, SelectField } from '../../ui/field.tsx';
import { Button, type IconName } from '../../ui/icon.tsx';
import { ExportButton } from '../../ui/list.tsx';
import { EmptyState, LoadState, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/shell.tsx';
import { Refusals } from './refusals.tsx';
import { activity } from './texts.ts';
import { type Filter, type Report, useActivity } from './use-activity.ts';
import { type Dates, ranges } from './windows.ts';

/** The client's calls in a time range. */
export function ActivityPage({ icon }: { icon: IconName }) {
  const { filter, change, load } = useActivity();
  const report = load.answer;
  return (
    <Page title={activity.title} lead={activity.lead}>
      <p class="hint">
        {activity.whoCame} <a href={hrefOf('recognise', 'door')}>{door.title}</a>
      </p>
      <FilterBar filter={filter} report={report?.found} onChange={change} />
      <div class="row">
        <Button icon="refresh" disabled={load.busy} onClick={load.reload}>
          {common.refresh}
        </Button>
        {report && (
          <ExportButton name={activity.byDay} file="wajah-activity" table={async () => daysOf(report)} />
        )}
      </div>
      <LoadState load={load} lines={6}>
        {(found) => <Calls report={found} filter={filter} icon={icon} />}
      </LoadState>
    </Page>
  );
}

function Calls({ report, filter, icon }: { report: Report; filter: Filter; icon: IconName }) {
  const { found } = report;
  const sum = (name: 'calls' | 'errors') => found.days.reduce((before, day) => before + day[name], 0);
  const calls = sum('calls');
  return (
    <>
      <QuotaNotices activity={found} />
      <Totals calls={calls} errors={sum('errors')} />
      <div class="columns">
        <Refusals filter={filter} window={report.window} readAt={report.readAt} />
        <Limits activity={found} />
      </div>
      {calls === 0 ? (
        <EmptyState icon={icon} title={activity.empty} text={activity.emptyText} />
      ) : (
        <div class="cards">
          <CountTable
            title={activity.byDay}
            hint={activity.dayBegins(formatClock(report.window.from))}
            head={activity.day}
            rows={found.days.map(({ day, ...sums }) => ({ name: dayName(day), ...sums }))}
          />
          <CountTable
            title={activity.routes}
            head={activity.route}
            rows={found.routes.map(({ route, ...sums }) => ({ name: route, ...sums }))}
          />
        </div>
      )}
    </>
  );
}

/** A day of UTC, such as 2026-01-31. */
function dayName(day: string): string {
  return new Date(day).toLocaleDateString(locale(), { dateStyle: 'medium', timeZone: 'UTC' });
}

function daysOf({ found: { days } }: Report) {
  return {
    heading: ['day', 'calls', 'refused'],
    rows: days.map(({ day, calls, errors }) => [day, calls, errors]),
  };
}

interface FilterBarProps {
  readonly filter: Filter;
  /** Has the endpoints and statuses to choose from. */
  readonly report: Activity | undefined;
  readonly onChange: (part: Partial<Filter>) => void;
}

/** Time range, endpoint and status of what the page shows. */
function FilterBar({ filter, report, onChange }: FilterBarProps) {
  return (
    <div class="stack">
      <Segments
        label={activity.range}
        value={filter.range}
        options={ranges.map((name) => ({ value: name, text: activity[name] }))}
        onChoose={(chosen) => onChange({ range: chosen })}
      />
      <div class="filters">
        {filter.range === 'dates' && (
          <DateFields dates={filter.dates} onChange={(dates) => onChange({ dates })} />
        )}
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

/** Numbers of calls. */
function CountTable(props: {
  title: string;
  hint?: string;
  head: string;
  rows: readonly { readonly name: string; readonly calls: number; readonly errors: number }[];
}) {
  const { head, rows, ...card } = props;
  return (
    <Card {...card}>
      <StackedTable
        columns={[
          [head, ({ name }) => name],
          [common.calls, ({ calls }) => formatNumber(calls), 'end numbers'],
          [activity.errors, ({ errors }) => formatNumber(errors), 'end numbers'],
        ]}
        rows={rows}
        keyOf={({ name }) => name}
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
