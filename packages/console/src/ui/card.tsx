import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { formatNumber } from '../i18n/format.ts';

/** A part of a page with its title. @param props.aside stands beside the title, `hint` below it */
export function Card(props: {
  title: string;
  hint?: string;
  wide?: boolean;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class={props.wide ? 'card span' : 'card'} aria-labelledby={id}>
      <div class="row between">
        <h2 id={id}>{props.title}</h2>
        {props.aside}
      </div>
      {props.hint !== undefined && <p class="hint">{props.hint}</p>}
      {props.children}
    </section>
  );
}

/** A column of a table: its head, its cells, and their classes. */
type Column<Row> = readonly [head: string, cell: (row: Row) => ComponentChildren, look?: string];

/** A table that becomes a list of cards on a phone. The first cell of a row is its head. */
export function StackedTable<Row>(props: {
  label?: string;
  look?: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Identifies a row. */
  keyOf: (row: Row) => string;
  /** In place of a table without rows. */
  empty?: ComponentChildren;
}) {
  if (props.rows.length === 0 && props.empty !== undefined) return <>{props.empty}</>;
  const [[, first, firstLook] = ['', () => ''], ...others] = props.columns;
  const endOf = (look = '') => (look.startsWith('end') ? 'end' : undefined);
  return (
    <table class={`stacked ${props.look ?? ''}`} aria-label={props.label}>
      <thead>
        <tr>
          {props.columns.map(([head, , look]) => (
            <th key={head} scope="col" class={endOf(look)}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <tr key={props.keyOf(row)}>
            <th scope="row" class={firstLook}>
              {first(row)}
            </th>
            {others.map(([head, cell, look]) => (
              <td key={head} class={look} data-label={head}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * A share of a whole. Hidden from screen readers, which read the figures beside it.
 * @param props.share and `mark`, such as a threshold: 0 to 1
 */
export function Bar(props: {
  tone: 'good' | 'info' | 'warn' | 'bad' | 'low';
  share: number;
  mark?: number | undefined;
}) {
  const percent = (part: number) => `${Math.min(1, Math.max(0, part)) * 100}%`;
  return (
    <span class={`bar ${props.tone}`} aria-hidden="true">
      {props.share > 0 && <span class="fill" style={{ width: percent(props.share) }} />}
      {props.mark !== undefined && <span class="mark" style={{ left: percent(props.mark) }} />}
    </span>
  );
}

/** How much of a limit is used, as a bar with text. */
export function UsageBar(props: { name: string; used: number; all: number; text?: string }) {
  const share = props.all === 0 ? 0 : Math.min(1, props.used / props.all);
  const tone = share > 0.95 ? 'bad' : share > 0.8 ? 'warn' : 'info';
  return (
    <div class="after small">
      <span>{props.name}</span>
      <span class="numbers muted">
        {props.text ?? `${formatNumber(props.used)} / ${formatNumber(props.all)}`}
      </span>
      <Bar tone={tone} share={share} />
    </div>
  );
}

/** Terms with their values, some with a note. */
export function Facts({
  of,
}: {
  of: readonly (readonly [name: string, value: string | undefined, note?: string | undefined])[];
}) {
  return (
    <dl class="facts">
      {of.map(
        ([name, value, note]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="numbers">
                {value} {note !== undefined && <span class="muted small">{note}</span>}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
