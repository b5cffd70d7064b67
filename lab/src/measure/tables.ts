import type { Figure, ReportSection } from './figure.ts';

/** A table of a result; the first column names the row. */
export interface ResultTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Sections as tables: those of one table as its rows, all others as tables of their own. */
export function tables(sections: readonly ReportSection[]): ResultTable[] {
  const done = new Set<string>();
  return sections.flatMap(({ title, figures, table }) => {
    if (table === undefined) return [tableOf(title, figures)];
    if (done.has(table.title)) return [];
    done.add(table.title);
    const rows = sections.filter((one) => one.table?.title === table.title);
    return [joined(table.title, rows)];
  });
}

/** A cell without the marks of code that names have where they are printed. */
const plain = (text: string) => text.replaceAll('`', '');

function tableOf(title: string, figures: readonly Figure[]): ResultTable {
  const rows = figures.map(({ what, value, evidence }) => [plain(what), value, evidence]);
  return { title, columns: ['metric', 'value', 'counts; 95 % interval'], rows };
}

/** A table with a row for each section and a column for each metric. */
function joined(title: string, sections: readonly ReportSection[]): ResultTable {
  const metrics = [...new Set(sections.flatMap(({ figures }) => figures.map(({ what }) => what)))];
  const rows = sections.map(({ table, figures }) => {
    const cells = metrics.map((what) => cell(figures.find((one) => one.what === what)));
    return [plain(table!.row), ...cells];
  });
  return { title, columns: ['', ...metrics], rows };
}

function cell(figure: Figure | undefined): string {
  if (!figure) return '–';
  return figure.evidence === '' ? figure.value : `${figure.value}; ${figure.evidence}`;
}
