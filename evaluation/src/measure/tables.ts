import { type Figure, type ReportSection, section } from './figure.ts';

/** Sections as Markdown: those of one table as its rows, all others as tables of their own. */
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

/** A table with a row for each section and a column for each metric. */
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
