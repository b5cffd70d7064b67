import type { Activity } from '../../api/types.ts';
import { formatNumber } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { refusalText } from '../../i18n/server/refusal-text.ts';
import { Field, SelectField } from '../../ui/field.tsx';
import { Segments } from '../../ui/segments.tsx';
import type { Filter } from './use-activity.ts';
import { type Dates, type Range, ranges } from './windows.ts';

interface Props {
  readonly filter: Filter;
  readonly range: Range;
  /** Has the endpoints and statuses to choose from. */
  readonly report: Activity | undefined;
  readonly onChange: (part: Partial<Filter>) => void;
}

/** Time range, endpoint and status of what the page shows. */
export function FilterBar({ filter, range, report, onChange }: Props) {
  const { activity } = messages.value;
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
          label={activity.status}
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
    ['', messages.value.common.allOf] as const,
    ...[...found, ...missing].map(
      ([value, text, count]) => [value, `${text} (${formatNumber(count)})`] as const,
    ),
  ];
}

function DateFields({ dates, onChange }: { dates: Dates; onChange: (dates: Dates) => void }) {
  const { activity } = messages.value;
  const field = (label: string, name: keyof Dates) => (
    <Field
      label={label}
      control={(ids) => (
        <input
          {...ids}
          type="date"
          value={dates[name]}
          onChange={(event) => onChange({ ...dates, [name]: event.currentTarget.value })}
        />
      )}
    />
  );
  return (
    <>
      {field(activity.firstDay, 'first')}
      {field(activity.lastDay, 'last')}
    </>
  );
}
