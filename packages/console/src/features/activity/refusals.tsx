import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { Card } from '../../ui/card.tsx';
import { useGalleries } from '../../ui/choice.tsx';
import { FilterField, Segments } from '../../ui/field.tsx';
import { ExportButton, PagedList, readPages, usePages } from '../../ui/list.tsx';
import { type RefusalEvent, RefusedCall } from './refused-call.tsx';
import { activity } from './texts.ts';
import type { Filter } from './use-activity.ts';
import type { Window } from './windows.ts';

const kinds = ['refused', 'rejected'] as const;
type Kind = (typeof kinds)[number];

const pageLength = 5;

/** Calls that were refused, or whose face was not accepted, under the filter of the page and of a person. */
export function Refusals(props: { filter: Filter; window: Window; readAt: number }) {
  const [kind, setKind] = useState<Kind>('refused');
  const [person, setPerson] = useState('');
  const { galleries } = useGalleries();
  const keeping = new Set(galleries.flatMap((one) => (one.keep_crops ? [one.facegallery_id] : [])));
  const query = queryOf(props.filter, props.window, kind, person);
  const read = async (before: number | undefined, limit: number, signal: AbortSignal) => {
    const page = { ...query, limit, ...(before !== undefined && { before }) };
    const { refusals, next_before } = await wajah.listRefusals(page, { signal });
    return [refusals, next_before] as const;
  };
  // Loaded again with the rest of the page.
  const pages = usePages({ key: JSON.stringify(query), version: props.readAt, length: pageLength, read });
  return (
    <Card title={activity.refusals} hint={activity.refusalsHow}>
      <div class="filters">
        <Segments
          label={activity.kind}
          value={kind}
          options={kinds.map((value) => ({ value, text: activity[value] }))}
          onChoose={setKind}
        />
        <FilterField label={activity.person} value={person} onChange={setPerson} />
        <ExportButton
          name={activity.refusals}
          file="wajah-refusals"
          table={async (signal) => tableOf(await readPages(read, 200, signal))}
        />
      </div>
      <PagedList
        pages={pages}
        look="stack history"
        empty={activity.refusalsEmpty}
        entry={(call) => <RefusedCall key={`${call.trx_id} ${call.time}`} call={call} keeping={keeping} />}
      />
    </Card>
  );
}

function queryOf({ route, status }: Filter, { from, to }: Window, kind: Kind, person: string) {
  return {
    kind,
    from: from.toISOString(),
    to: to.toISOString(),
    ...(route !== '' && { route }),
    ...(status !== '' && { for_status: status }),
    ...(person !== '' && { user_id: person }),
  };
}

const columns = [
  ...(['time', 'status', 'status_message', 'detail', 'route', 'facegallery_id', 'user_id'] as const),
  ...(['similarity', 'spoof_score', 'trx_id'] as const),
];

function tableOf(refusals: readonly RefusalEvent[]) {
  return { heading: columns, rows: refusals.map((refusal) => columns.map((name) => refusal[name])) };
}
