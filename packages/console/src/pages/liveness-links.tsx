import { computed } from '@preact/signals';
import { reasonTexts, textsFor } from '@wajah/capture';
import type { GetLivenessSessionAnswer, Person } from '@wajah/client';
import { linkMinutes } from '@wajah/contract/values';
import { useEffect, useState } from 'preact/hooks';
import { wajah } from '../api/wajah.ts';
import { formatNumber } from '../i18n/format.ts';
import { common, liveness, messageFor } from '../i18n/messages.ts';
import { language } from '../state/preferences.ts';
import { storedText } from '../state/session.ts';
import { Card } from '../ui/card.tsx';
import { CopyButton } from '../ui/code.tsx';
import { Form, SelectField, TextField, useFields } from '../ui/field.tsx';
import { Tag } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { Token } from './liveness-token.tsx';

type Answer = Pick<GetLivenessSessionAnswer, 'state' | 'reasons' | 'liveness_token'> & {
  /** When the token expires, milliseconds. */
  readonly until?: number;
};

/** The steps of a session, and with whom the face is compared. */
export interface Subject {
  readonly steps: number;
  /** `null`: with nobody; undefined: with somebody who is not chosen yet. */
  readonly person: (Person & { readonly gallery: string }) | null | undefined;
}

/** A session that somebody does on another device. */
interface Link {
  readonly id: string;
  readonly name: string;
  /** The person whom a face that passes is of; undefined: it is compared with nobody. */
  readonly comparedWith: string | undefined;
  readonly url: string;
  /** SVG. */
  readonly qr: string;
  readonly answer: Answer;
}

/** Those of this tab, also after a reload: who leaves it has the results no longer. */
const stored = storedText('wajah.links');
const links = computed(() => JSON.parse(stored.value || '[]') as readonly Link[]);

function putLinks(all: readonly Link[]): void {
  stored.value = JSON.stringify(all);
}

/** Makes links to sessions that the server hosts, and shows what became of them. */
export function LivenessLinks({ subject }: { subject: Subject }) {
  const { values, field } = useFields({ name: '' });
  const [minutes, setMinutes] = useState(String(linkMinutes.byDefault));
  const { steps, person } = subject;
  const comparedWith = person ? `${person.user_name} (${person.user_id})` : undefined;
  const name = values.name.trim();
  return (
    <Card title={liveness.link} hint={liveness.linkHint}>
      <Form
        look="main"
        submit={liveness.makeLink}
        disabled={person === undefined}
        send={() =>
          wajah.createLivenessSession({
            ...(person && { user_id: person.user_id, facegallery_id: person.gallery }),
            ...(name !== '' && { subject: name }),
            steps,
            hosted: true,
            keep_frame: true,
            valid_minutes: Number(minutes),
          })
        }
        onAnswer={({ session_id: id, url = '', qr = '' }) => {
          const answer = { state: 'waiting' } as const;
          const shown = name || (comparedWith ?? liveness.anyone);
          putLinks([{ id, url, qr, answer, comparedWith, name: shown }, ...links.value]);
        }}
      >
        <TextField label={liveness.linkName} hint={liveness.linkNameHint} optional {...field('name')} />
        <SelectField
          label={liveness.valid}
          value={minutes}
          options={[String(linkMinutes.byDefault), '60', String(linkMinutes.most)].map((value) => [
            value,
            durationText(Number(value)),
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

const durationText = (minutes: number) =>
  minutes > 60 ? liveness.hours(formatNumber(minutes / 60)) : liveness.minutes(formatNumber(minutes));

/** Milliseconds between two questions about a session. */
const pause = 3000;

/** Asks for the state of a session until it is judged or over; then once more, since its token may be spent. */
function useSession({ id, answer }: Link): Answer {
  const { state } = answer;
  useEffect(() => {
    const ask = async () => {
      // The server may not be reached for a moment.
      const found = await wajah.getLivenessSession({ session_id: id }).catch(() => undefined);
      if (!found) return;
      const answer = { ...found, until: Date.now() + 1000 * (found.expires_in ?? 0) };
      putLinks(links.value.map((one) => (one.id === id ? { ...one, answer } : one)));
    };
    if (state !== 'waiting' && state !== 'open') return void ask();
    const timer = setInterval(ask, pause);
    return () => clearInterval(timer);
  }, [id, state]);
  return answer;
}

/** What a session says of the face: liveness alone is no word about whose it is. */
function Verdict({ state, comparedWith }: { state: Answer['state']; comparedWith: string | undefined }) {
  if (state === 'passed') {
    return comparedWith === undefined ? (
      <Tag tone="warn">{liveness.passedUnknown}</Tag>
    ) : (
      <Tag tone="good">{liveness.passedAs(comparedWith)}</Tag>
    );
  }
  const tone = state === 'failed' ? 'bad' : state === 'expired' || state === 'ended' ? 'warn' : 'info';
  return <Tag tone={tone}>{messageFor(liveness, `state_${state}`) ?? state}</Tag>;
}

/** A link with its QR code while somebody can open it, and its result. */
function LinkView({ link, open }: { link: Link; open: boolean }) {
  const { name, url, qr, comparedWith } = link;
  const { state, reasons = [], liveness_token: token, until = 0 } = useSession(link);
  const waits = state === 'waiting';
  return (
    <details class="link" open={open}>
      <summary>
        <span class="row between link-line">
          <strong>{name}</strong>
          <span role="status">
            <Verdict state={state} comparedWith={comparedWith} />
          </span>
        </span>
      </summary>
      <div class="stack tight">
        {waits && (
          <img class="qr" src={`data:image/svg+xml,${encodeURIComponent(qr)}`} alt={liveness.qr(name)} />
        )}
        {waits && (
          <div class="row">
            <code class="clip grow">{url}</code>
            <CopyButton text={url} name={`${common.copy}: ${name}`} />
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
        {state === 'passed' && token === undefined && <p class="hint">{liveness.tokenGone}</p>}
        {token !== undefined && comparedWith === undefined && <Notice tone="warn">{liveness.unseen}</Notice>}
        {token !== undefined && <Token token={token} until={until} />}
      </div>
    </details>
  );
}
