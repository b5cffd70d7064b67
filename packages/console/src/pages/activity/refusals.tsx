import { useState } from 'preact/hooks';
import type { RefusalEvent } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatNumber, formatSimilarity, formatTime } from '../../i18n/format.ts';
import { activity, figures, recognise } from '../../i18n/messages.ts';
import { refusalText } from '../../i18n/refusal-text.ts';
import { useGalleries } from '../../ui/choice.tsx';
import { FilterField, Segments } from '../../ui/field.tsx';
import { ExportButton, PagedList, readPages, usePages } from '../../ui/list.tsx';
import { RefusalDetail } from '../../ui/notice.tsx';
import { PersonFace } from '../../ui/person-face.tsx';
import type { Filter } from './use-activity.ts';
import type { Window } from './windows.ts';

const kinds = ['refused', 'rejected'] as const;
type Kind = (typeof kinds)[number];

const pageLength = 10;

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
    <section class="card" aria-labelledby="refusals">
      <div class="stack tight">
        <h2 id="refusals">{activity.refusals}</h2>
        <p class="hint">{activity.refusalsHow}</p>
      </div>
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
        look="refusals"
        empty={activity.refusalsEmpty}
        entry={(refusal) => (
          <Refusal key={`${refusal.trx_id} ${refusal.time}`} refusal={refusal} keeping={keeping} />
        )}
      />
    </section>
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

/** One refused call with its reason. @param props.keeping galleries that keep faces */
function Refusal({ refusal, keeping }: { refusal: RefusalEvent; keeping: ReadonlySet<string> }) {
  const { facegallery_id: gallery = '', user_id: userId } = refusal;
  const { time, route, status, status_message: message, detail = '', trx_id } = refusal;
  const text = refusalText({ status, message, detail, answer: refusal });
  // What was answered is no refusal of the call.
  const title = status === '200' ? activity.notAccepted : `${status} · ${text.title}`;
  const about = [
    refusal.facegallery_id === undefined ? '' : `${activity.gallery} ${refusal.facegallery_id}`,
    refusal.user_id === undefined ? '' : `${activity.user} ${refusal.user_id}`,
    refusal.similarity === undefined ? '' : `${recognise.similarity} ${formatSimilarity(refusal.similarity)}`,
    refusal.spoof_score === undefined ? '' : `${figures.spoofScore} ${formatNumber(refusal.spoof_score, 2)}`,
  ].filter((part) => part !== '');
  return (
    <li>
      <div class="row between">
        <strong>{title}</strong>
        <time class="muted small numbers" dateTime={time}>
          {formatTime(time)}
        </time>
      </div>
      <div class="small stack tight">
        <RefusalDetail refusal={text} />
      </div>
      {about.length > 0 && (
        <p class="muted small">
          {userId !== undefined && keeping.has(gallery) && <PersonFace gallery={gallery} userId={userId} />}
          {about.join(' · ')}
        </p>
      )}
      <p class="muted trx mono">{route}</p>
      <p class="muted trx mono">
        {activity.transaction} {trx_id}
      </p>
    </li>
  );
}
