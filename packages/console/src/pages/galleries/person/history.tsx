import type { DescribedPerson } from '../../../api/types.ts';
import { formatNumber, formatTime } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';
import { refusalText } from '../../../i18n/server/refusal-text.ts';
import { RefusalDetail } from '../../../ui/refusal-detail.tsx';

type Refused = DescribedPerson['refusals'][number];

/** What the server knows of a person's past: enrolment, last change, refused calls; the newest first. */
export function History({ person }: { person: DescribedPerson }) {
  const { people } = messages.value;
  const entries = [
    ...person.refusals.map((call) => ({ at: call.time, what: <RefusedCall call={call} />, tone: 'warn' })),
    ...(person.updated_at === person.created_at
      ? []
      : [{ at: person.updated_at, what: <p>{people.historyChanged}</p>, tone: '' }]),
    { at: person.created_at, what: <p>{people.historyEnrolled}</p>, tone: 'good' },
  ].sort((a, b) => b.at.localeCompare(a.at));
  return (
    <section class="card" aria-labelledby="history">
      <h2 id="history">{people.history}</h2>
      <ol class="history">
        {entries.map(({ at, what, tone }, index) => (
          <li key={index} class={tone}>
            <time class="hint numbers" dateTime={at}>
              {formatTime(at)}
            </time>
            <div>{what}</div>
          </li>
        ))}
      </ol>
      <p class="hint">{people.historyHint}</p>
    </section>
  );
}

function RefusedCall({ call }: { call: Refused }) {
  const { people, activity } = messages.value;
  const { status, status_message: message, detail = '', similarity, trx_id: trxId } = call;
  const refusal = refusalText({ status, message, detail });
  return (
    <>
      <p>
        <strong>{status === '200' ? activity.notAccepted : `${status} · ${refusal.title}`}</strong>{' '}
        <span class="muted small">{call.route.split('/').at(-1)}</span>
      </p>
      {similarity === undefined ? (
        <div class="small stack tight">
          <RefusalDetail refusal={refusal} />
        </div>
      ) : (
        <p class="small">
          {people.similarity} {formatNumber(similarity, 3)}
        </p>
      )}
      <p class="trx mono muted">{trxId}</p>
    </>
  );
}
