import type { ComponentChildren } from 'preact';
import type { RefusalEvent } from '../api/types.ts';
import { formatNumber, formatSimilarity, formatTime } from '../i18n/format.ts';
import { activity, common, figures, recognise } from '../i18n/messages.ts';
import { refusalText } from '../i18n/refusal-text.ts';
import { RefusalDetail } from './notice.tsx';
import { PersonFace } from './person-face.tsx';

/** Something that happened, with the colour of what it was. */
export function PastEntry(props: {
  title: string;
  time: string;
  tone?: string;
  children?: ComponentChildren;
}) {
  return (
    <li class={props.tone}>
      <div class="row between">
        <strong>{props.title}</strong>
        <time class="hint numbers" dateTime={props.time}>
          {formatTime(props.time)}
        </time>
      </div>
      {props.children}
    </li>
  );
}

/**
 * A call that was refused, or whose face was not accepted, with its reason.
 * @param props.keeping galleries that keep faces
 */
export function RefusedCall({ call, keeping }: { call: RefusalEvent; keeping?: ReadonlySet<string> }) {
  const { facegallery_id: gallery = '', user_id: user = '', similarity, spoof_score: spoof } = call;
  const { status, status_message: message, detail = '' } = call;
  const text = refusalText({ status, message, detail, answer: call });
  const about = [
    gallery && `${common.gallery} ${gallery}`,
    user && `${activity.user} ${user}`,
    similarity !== undefined && `${recognise.similarity} ${formatSimilarity(similarity)}`,
    spoof !== undefined && `${figures.spoofScore} ${formatNumber(spoof, 2)}`,
  ].filter(Boolean);
  return (
    // What was answered is no refusal of the call.
    <PastEntry
      title={status === '200' ? activity.notAccepted : `${status} · ${text.title}`}
      time={call.time}
      tone="warn"
    >
      <div class="small stack tight">
        <RefusalDetail refusal={text} />
      </div>
      {about.length > 0 && (
        <p class="hint">
          {user && keeping?.has(gallery) && <PersonFace gallery={gallery} userId={user} />}
          {about.join(' · ')}
        </p>
      )}
      <p class="trx mono">{call.route}</p>
      <p class="trx mono">{common.trx(call.trx_id)}</p>
    </PastEntry>
  );
}
