import { reasonTexts, textsFor } from '@wajah/capture';
import type { GetLivenessSessionAnswer } from '@wajah/client';
import { linkMinutes } from '@wajah/contract/values';
import { useEffect, useState } from 'preact/hooks';
import { wajah } from '../api/wajah.ts';
import { formatNumber } from '../i18n/format.ts';
import { common, liveness, messageFor } from '../i18n/messages.ts';
import { language } from '../state/preferences.ts';
import { keptSignal } from '../state/session.ts';
import { Card } from '../ui/card.tsx';
import { CopyButton } from '../ui/code.tsx';
import { Form, SelectField, TextField, useFields } from '../ui/field.tsx';
import { Tag } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { Token } from './liveness-token.tsx';

type Answer = Pick<GetLivenessSessionAnswer, 'state' | 'reasons' | 'liveness_token' | 'expires_in'>;

/** The person and the steps of a session. */
export interface Subject {
  readonly steps: number;
  readonly gallery?: string;
  readonly userId?: string;
}

/** A session that somebody does on another device. */
interface Link {
  readonly id: string;
  readonly whom: string;
  readonly url: string;
  /** SVG. */
  readonly qr: string;
  readonly answer: Answer;
}

/** Those of this tab: who leaves it has the results no longer. */
const links = keptSignal<readonly Link[]>([]);

/** Makes links to sessions that the server hosts, and shows what became of them. */
export function LivenessLinks({ subject }: { subject: Subject }) {
  const { values, field } = useFields({ whom: '' });
  const [minutes, setMinutes] = useState(String(linkMinutes.byDefault));
  const { steps, gallery, userId } = subject;
  const person = userId && gallery ? { user_id: userId, facegallery_id: gallery } : {};
  const whom = values.whom.trim();
  return (
    <Card title={liveness.link} hint={liveness.linkHint}>
      <Form
        look="main"
        submit={liveness.makeLink}
        send={() =>
          wajah.createLivenessSession({
            ...person,
            ...(whom !== '' && { subject: whom }),
            steps,
            hosted: true,
            keep_frame: true,
            valid_minutes: Number(minutes),
          })
        }
        onAnswer={({ session_id: id, url = '', qr = '' }) => {
          const answer = { state: 'waiting' } as const;
          links.value = [{ id, url, qr, answer, whom: whom || (userId ?? liveness.anyone) }, ...links.value];
        }}
      >
        <TextField label={liveness.whom} hint={liveness.whomHint} optional {...field('whom')} />
        <SelectField
          label={liveness.valid}
          value={minutes}
          options={[String(linkMinutes.byDefault), '60', String(linkMinutes.most)].map((value) => [
            value,
            liveness.minutes(formatNumber(Number(value))),
          ])}
          onChange={setMinutes}
        />
      </Form>
      {links.value.map((link, at) => (
        <LinkView key={link.id} link={link} open={at === 0} />
      ))}
    </Card>
  );
}

/** Milliseconds between two questions about a session. */
const pause = 3000;
const tones: Readonly<Record<string, 'good' | 'bad' | 'warn'>> = {
  passed: 'good',
  failed: 'bad',
  expired: 'warn',
  ended: 'warn',
};

/** Asks for the state of a session until it is judged or over. */
function useSession({ id, answer }: Link): Answer {
  const { state } = answer;
  useEffect(() => {
    if (state !== 'waiting' && state !== 'open') return;
    const timer = setInterval(async () => {
      // The server may not be reached for a moment.
      const found = await wajah.getLivenessSession({ session_id: id }).catch(() => undefined);
      if (!found) return;
      links.value = links.value.map((one) => (one.id === id ? { ...one, answer: found } : one));
    }, pause);
    return () => clearInterval(timer);
  }, [id, state]);
  return answer;
}

/** A link with its QR code while somebody can open it, and its result. */
function LinkView({ link, open }: { link: Link; open: boolean }) {
  const { whom, url, qr } = link;
  const { state, reasons = [], liveness_token: token, expires_in: seconds } = useSession(link);
  const waits = state === 'waiting';
  return (
    <details class="link" open={open}>
      <summary>
        <span class="row between link-line">
          <strong>{whom}</strong>
          <span role="status">
            <Tag tone={tones[state] ?? 'info'}>{messageFor(liveness, `state_${state}`) ?? state}</Tag>
          </span>
        </span>
      </summary>
      <div class="stack tight">
        {waits && (
          <img class="qr" src={`data:image/svg+xml,${encodeURIComponent(qr)}`} alt={liveness.qr(whom)} />
        )}
        {waits && (
          <div class="row">
            <code class="clip grow">{url}</code>
            <CopyButton text={url} name={`${common.copy}: ${whom}`} />
          </div>
        )}
        {waits && !url.startsWith('https:') && (
          <Notice tone="warn">{liveness.linkInsecure(new URL(url).origin)}</Notice>
        )}
        {reasonTexts(reasons, textsFor(language.value)).map((reason) => (
          <p key={reason} class="small">
            {reason}
          </p>
        ))}
        {token !== undefined && <Token token={token} seconds={seconds} />}
      </div>
    </details>
  );
}
