/** How a CSV file is written. */
export interface CsvForm {
  /** Between values: that which the file names, else the first with which the columns are found, else a comma. */
  readonly delimiter: string;
  /** Lines before that of the columns. */
  readonly before: number;
  /** The line of the columns; undefined: the text is empty. */
  readonly head: string | undefined;
  /** Whether that line has the columns. */
  readonly fits: boolean;
}

/** What may stand between values, in the order of preference. */
export const csvDelimiters = [',', ';', '\t', '|'];

/** Names of columns, which are in any case. @throws Error when two have one name */
export function csvColumns(head: readonly string[]): string[] {
  const names = head.map(plain);
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) < at);
  if (twice !== undefined) throw new Error(`two columns are named ${twice}; rename or remove one`);
  return names;
}

/** Options of csv-parse: mixed line ends, quotes within names, rows that are short or of nothing but delimiters. */
export const csvOptionsOf = ({ delimiter, before }: Pick<CsvForm, 'delimiter' | 'before'>) => ({
  delimiter,
  from_line: before + 1,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  trim: true,
});

const plain = (name: string) => name.trim().toLowerCase();

/**
 * An id as it was meant: spreadsheets and programs guard leading zeros by a formula or an apostrophe.
 * @example csvId('="0012"') // '0012', as is that of "'0012"
 */
export const csvId = (cell: string) => cell.replace(/^="(.*)"$/, '$1').replace(/^'(?=\w)/, '');

/**
 * How spreadsheets have saved a table: with commas, semicolons, tabs or bars, and a line `sep=;` before it.
 * @param text of the file, or its beginning with the line of the columns
 */
export function csvFormOf(text: string, required: readonly string[]): CsvForm {
  const lines = text.split(/\r\n|\n|\r/);
  const said = /^"?sep=(.)"?$/i.exec(lines[0] ?? '')?.[1];
  const before = said === undefined ? 0 : 1;
  const head = lines.slice(before).find((line) => line.trim() !== '');
  const fits = (delimiter: string) => {
    const names = (head ?? '').split(delimiter).map((name) => plain(name.replace(/^\s*"(.*)"\s*$/, '$1')));
    return required.every((name) => names.includes(name));
  };
  const delimiter = said ?? csvDelimiters.find(fits) ?? ',';
  return { delimiter, before, head, fits: fits(delimiter) };
}
