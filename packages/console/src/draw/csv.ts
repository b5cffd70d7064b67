type Cell = string | number | null | undefined;

/** A table as CSV (RFC 4180), with a byte order mark by which spreadsheets know that it is UTF-8. */
export function csvOf(heading: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${[heading, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/** Spreadsheets run a text that begins like a formula; an apostrophe keeps it a text. */
function cell(value: Cell): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
