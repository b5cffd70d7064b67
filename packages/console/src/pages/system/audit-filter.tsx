import { messageFor, messages } from '../../i18n/messages.ts';
import { Field, FilterField, SelectField } from '../../ui/field.tsx';

/** Which records are listed. */
export interface AuditQuery {
  readonly client_id?: string;
  readonly event?: string;
  /** ISO 8601. */
  readonly since?: string;
}

export function AuditFilter(props: {
  query: AuditQuery;
  events: readonly string[];
  onChange: (query: AuditQuery) => void;
}) {
  const { system, common } = messages.value;
  const { client_id, event, since } = props.query;
  const change = (part: { [Name in keyof AuditQuery]?: AuditQuery[Name] | '' }) => {
    const all = { client_id, event, since, ...part };
    props.onChange({
      ...(all.client_id && { client_id: all.client_id }),
      ...(all.event && { event: all.event }),
      ...(all.since && { since: all.since }),
    });
  };
  return (
    <div class="filters">
      <FilterField
        label={system.client}
        value={client_id ?? ''}
        onChange={(typed) => change({ client_id: typed })}
      />
      <SelectField
        label={system.event}
        value={event ?? ''}
        options={[
          ['', common.allOf] as const,
          ...props.events.map((name) => [name, messageFor('system', `event_${name}`) ?? name] as const),
        ]}
        onChange={(chosen) => change({ event: chosen })}
      />
      <Field
        label={system.sinceDay}
        control={(ids) => (
          <input
            {...ids}
            type="date"
            value={since === undefined ? '' : dayOf(since)}
            onChange={(input) => change({ since: midnightOf(input.currentTarget.value) })}
          />
        )}
      />
    </div>
  );
}

/** Midnight of a day in the time zone of the browser; '' for none. */
function midnightOf(day: string): string {
  const time = new Date(`${day}T00:00`);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

function dayOf(instant: string): string {
  const time = new Date(instant);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
