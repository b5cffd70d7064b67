import type { RefusalEvent } from '../../api/types.ts';
import { formatNumber, formatTime } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { refusalText } from '../../i18n/server/refusal-text.ts';
import { RefusalDetail } from '../../ui/refusal-detail.tsx';

/** One refused call with its reason. */
export function Refusal({ refusal }: { refusal: RefusalEvent }) {
  const { activity, tryIt, figures } = messages.value;
  const { time, route, status, status_message: message, detail = '', trx_id } = refusal;
  const text = refusalText({ status, message, detail });
  // What was answered is no refusal of the call.
  const title = status === '200' ? activity.notAccepted : `${status} · ${text.title}`;
  const about = [
    refusal.facegallery_id === undefined ? '' : `${activity.gallery} ${refusal.facegallery_id}`,
    refusal.user_id === undefined ? '' : `${activity.user} ${refusal.user_id}`,
    refusal.similarity === undefined ? '' : `${tryIt.similarity} ${formatNumber(refusal.similarity, 3)}`,
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
      {about.length > 0 && <p class="muted small">{about.join(' · ')}</p>}
      <p class="muted trx mono">{route}</p>
      <p class="muted trx mono">
        {activity.transaction} {trx_id}
      </p>
    </li>
  );
}
