import { messages } from '../../i18n/messages.ts';
import { Chart, type ChartProps } from '../../ui/chart/chart.tsx';

interface Props extends Pick<ChartProps, 'along' | 'axis' | 'lines'> {
  readonly title: string;
  readonly how: string;
  /** Heading and cell format of the first column of the table. */
  readonly first: string;
  readonly showFirst: (value: number) => string;
}

/** A chart with an explanation, and its values as a table. */
export function ChartCard({ title, how, first, showFirst, along, axis, lines }: Props) {
  const { activity } = messages.value;
  const rows = along.map((_, index) => index).filter((index) => lines.some(({ values }) => values[index]));
  return (
    <section class="card">
      <div class="stack tight">
        <h2>{title}</h2>
        <p class="hint">{how}</p>
      </div>
      <Chart label={`${title}. ${how}`} along={along} axis={axis} lines={lines} />
      <details>
        <summary class="small">{activity.asTable}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs the keyboard focus */}
        <section class="scroll tall" tabIndex={0} aria-label={title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{first}</th>
                {lines.map(({ name }) => (
                  <th key={name} scope="col" class="end">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((index) => (
                <tr key={index}>
                  <th scope="row">{showFirst(along[index]!)}</th>
                  {lines.map(({ name, values, show }) => (
                    <td key={name} class="end numbers">
                      {values[index] === null || values[index] === undefined ? '–' : show(values[index])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  );
}
