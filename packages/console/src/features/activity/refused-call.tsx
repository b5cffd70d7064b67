import type { ListRefusalsAnswer } from '@wajah/client';
import { formatNumber, formatSimilarity } from '../../i18n/format.ts';
import { common, figures, recognise } from '../../i18n/messages.ts';
import { refusalText } from '../../i18n/refusal-text.ts';
import { RefusalDetail } from '../../ui/notice.tsx';
import { PastEntry } from '../../ui/past-entry.tsx';
import { PersonFace } from '../../ui/person-face.tsx';
import { activity } from './texts.ts';

export type RefusalEvent = ListRefusalsAnswer['refusals'][number];

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
