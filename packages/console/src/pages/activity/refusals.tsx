import type { RefusalEvent } from '../../api/types.ts';
import { formatNumber, formatTime } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';

/** The latest refused calls with their reasons. */
export function Refusals({ refusals }: { refusals: readonly RefusalEvent[] }) {
  const { activity } = messages.value;
  return (
    <section class="card" aria-labelledby="refusals">
      <h2 id="refusals">{activity.refusals}</h2>
      {refusals.length === 0 ? (
        <p class="muted">{activity.refusalsEmpty}</p>
      ) : (
        <ol class="refusals">
          {refusals.map((refusal) => (
            <Refusal key={`${refusal.trx_id} ${refusal.time}`} refusal={refusal} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Refusal({ refusal }: { refusal: RefusalEvent }) {
  const { activity, tryIt, figures } = messages.value;
  const { time, route, status, status_message, detail, trx_id, user_id, facegallery_id } = refusal;
  const scores = [
    refusal.similarity === undefined ? '' : `${tryIt.similarity} ${formatNumber(refusal.similarity, 3)}`,
    refusal.spoof_score === undefined ? '' : `${figures.spoofScore} ${formatNumber(refusal.spoof_score, 2)}`,
  ];
  const about = [facegallery_id ?? '', user_id ?? '', ...scores].filter((part) => part !== '');
  return (
    <li>
      <div class="row between">
        <strong>
          {status} · {status_message}
        </strong>
        <time class="muted small numbers" dateTime={time}>
          {formatTime(time)}
        </time>
      </div>
      {detail !== undefined && <p class="small">{detail}</p>}
      <p class="muted small">
        <span class="mono">{route}</span>
        {about.length > 0 && ` · ${about.join(' · ')}`}
      </p>
      <p class="muted trx mono">
        {activity.transaction} {trx_id}
      </p>
    </li>
  );
}
