import { csvOf } from '../draw/csv.ts';
import { common } from '../i18n/messages.ts';
import { useRequest } from '../state/request.ts';
import { Button } from './icon.tsx';
import { ErrorNotice } from './notice.tsx';

/** A table to be saved. */
interface Table {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly (string | number | null | undefined)[])[];
}

/** Saves a table as CSV. @param table reads all of it, also what is on other pages */
export function ExportButton(props: {
  name: string;
  file: string;
  table: (signal: AbortSignal) => Promise<Table>;
}) {
  const call = useRequest<Table>();
  async function save() {
    const table = await call.run(props.table);
    if (table) saveFile(`${props.file}.csv`, csvOf(table.heading, table.rows));
  }
  return (
    <>
      <Button
        icon="download"
        disabled={call.busy}
        aria-label={`${common.export}: ${props.name}`}
        onClick={() => void save()}
      >
        {common.export}
      </Button>
      {call.error && <ErrorNotice error={call.error} />}
    </>
  );
}

/** Saves a text as a file of the browser. */
function saveFile(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
