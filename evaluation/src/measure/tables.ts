import { type Figure, section } from './figure.ts';
import type { ReportSection } from './report-section.ts';

/** Sections as Markdown: those of one table as its rows, every other as a table of its own. */
export function tables(sections: readonly ReportSection[]): string {
  const done = new Set<string>();
  const parts = sections.flatMap(({ title, figures, table }) => {
    if (table === undefined) return [section(title, figures)];
    if (done.has(table.title)) return [];
    done.add(table.title);
    const rows = sections.filter((one) => one.table?.title === table.title);
    return [joined(table.title, rows)];
  });
  return parts.join('\n\n');
}

/** A row for each section, a column for each figure that any of them has. */
function joined(title: string, sections: readonly ReportSection[]): string {
  const columns = [...new Set(sections.flatMap(({ figures }) => figures.map(({ what }) => what)))];
  const rows = sections.map(({ table, figures }) => {
    const cells = columns.map((what) => cell(figures.find((one) => one.what === what)));
    return `| ${table!.row} | ${cells.join(' | ')} |`;
  });
  const rule = `|---|${columns.map(() => '---|').join('')}`;
  return [`### ${title}`, '', `| | ${columns.join(' | ')} |`, rule, ...rows].join('\n');
}

function cell(figure: Figure | undefined): string {
  if (!figure) return '–';
  return figure.evidence === '' ? figure.value : `${figure.value}<br>${figure.evidence}`;
}
