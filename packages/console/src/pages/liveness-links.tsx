import { computed } from '@preact/signals';
import { reasonTexts, textsFor } from '@wajah/capture';
import {
  type CreateLivenessSessionAnswer,
  type GetLivenessSessionAnswer,
  isWajahError,
  type Person,
} from '@wajah/client';
import { linkMinutes, linkTries } from '@wajah/contract/values';
import { useEffect, useState } from 'preact/hooks';
import { wajah } from '../api/wajah.ts';
import { formatDuration } from '../i18n/format.ts';
import { common, liveness, messageFor } from '../i18n/messages.ts';
import { language } from '../state/preferences.ts';
import { keptSignal, storedText } from '../state/session.ts';
import { Card } from '../ui/card.tsx';
import { CopyButton } from '../ui/code.tsx';
import { Form, SelectField, TextField, useFields } from '../ui/field.tsx';
import { Tag } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { lazyPage } from '../ui/shell.tsx';

const Token = lazyPage(async () => (await import('./liveness-token.tsx')).Token);

/** What the server says of a session, or why it has none of it any more. */
interface Answer
  extends Pick<GetLivenessSessionAnswer, 'reasons' | 'tries_left' | 'liveness_token' | 'expires_in'> {
  readonly state: GetLivenessSessionAnswer['state'] | 'erased' | 'suspended' | 'gone';
}

/** The steps of a session, and with whom the face is compared. */
export interface Subject {
  readonly steps: number;
  /** `null`: with nobody; undefined: with somebody who is not chosen yet. */
  readonly person: (Person & { readonly gallery: string }) | null | undefined;
}

/** What another link for the same person has as well. */
interface LinkTerms {
  /** Empty: it has that of the person. */
  readonly name: string;
  /** The person whom a face that passes is of; null: it is compared with nobody. */
  readonly person: Exclude<Subject['person'], undefined>;
  readonly steps: number;
  /** That it is valid for. */
  readonly minutes: number;
}

/** A session that somebody does on another device. */
interface Link extends LinkTerms, Pick<Answer, 'state' | 'reasons' | 'tries_left'> {
  readonly id: string;
  readonly url: string;
  /** SVG. */
  readonly qr: string;
}

/** Those of this tab, also after a reload: who leaves it has the results no longer. */
const stored = storedText('wajah.links');
const links = computed(() => JSON.parse(stored.value || '[]') as readonly Link[]);

/** The liveness tokens of the passed ones, in memory alone. */
const tokens = keptSignal<Readonly<Record<string, { readonly text: string; readonly until: number }>>>({});

function putLinks(all: readonly Link[]): void {
  stored.value = JSON.stringify(all);
}

const personText = ({ user_name, user_id }: Person) => `${user_name} (${user_id})`;

function createLink({ name, person, steps, minutes: valid_minutes }: LinkTerms) {
  return wajah.createLivenessSession({
    ...(person && { user_id: person.user_id, facegallery_id: person.gallery }),
    // Of two people of one name, a link for one does not end that for the other.
    ...(name !== '' && !person && { subject: name }),
    ...{ steps, hosted: true, keep_frame: true, valid_minutes },
  });
}

/** At the top of the list. */
function addLink(
  { name, person, steps, minutes }: LinkTerms,
  { session_id: id, url = '', qr = '' }: CreateLivenessSessionAnswer,
): void {
  putLinks([{ id, url, qr, state: 'waiting', name, person, steps, minutes }, ...links.value]);
}

/** Makes links to sessions that the server hosts, and shows what became of them. */
export function LivenessLinks({ subject }: { subject: Subject }) {
  const { values, field } = useFields({ name: '' });
  const [minutes, setMinutes] = useState(String(linkMinutes.byDefault));
  const { steps, person } = subject;
  const name = values.name.trim();
  const terms = { name, person: person ?? null, steps, minutes: Number(minutes) };
  return (
    <Card title={liveness.link} hint={liveness.linkHint}>
      <Form
        look="main"
        submit={liveness.makeLink}
        disabled={person === undefined}
        send={() => createLink(terms)}
        onAnswer={(answer) => addLink(terms, answer)}
      >
        <TextField label={liveness.linkName} hint={liveness.linkNameHint} optional {...field('name')} />
        <SelectField
          label={liveness.valid}
          value={minutes}
          options={[String(linkMinutes.byDefault), '60', String(linkMinutes.most)].map((value) => [
            value,
            formatDuration(60 * Number(value)),
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

/** Asks for the state of a session until it is judged or over; then once more for the token, which may be spent. */
function useSession(link: Link): void {
  const { id, state } = link;
  useEffect(() => {
    const ask = async () => {
      const found = await answerOf(link);
      if (!found) return;
      const { state, reasons, tries_left, liveness_token: text, expires_in: seconds = 0 } = found;
      const { [id]: _, ...others } = tokens.value;
      tokens.value = text ? { ...others, [id]: { text, until: Date.now() + 1000 * seconds } } : others;
      putLinks(links.value.map((one) => (one.id === id ? { ...one, state, reasons, tries_left } : one)));
    };
    if (state === 'passed') return void ask();
    if (state !== 'waiting' && state !== 'open') return;
    const timer = setInterval(ask, pause);
    return () => clearInterval(timer);
  }, [id, state]);
}

/** @returns undefined: the server may not be reached for a moment */
async function answerOf({ id, person }: Link): Promise<Answer | undefined> {
  try {
    return await wajah.getLivenessSession({ session_id: id });
  } catch (error) {
    if (codeOf(error) !== 'sessionNotFound') return undefined;
    if (!person) return { state: 'gone' };
  }
  try {
    const { gallery: facegallery_id, user_id } = person;
    const { suspended_at: suspended } = await wajah.describeFace({ facegallery_id, user_id });
    return { state: suspended === null ? 'gone' : 'suspended' };
  } catch (error) {
    return ['userNotFound', 'galleryNotFound'].includes(codeOf(error)) ? { state: 'erased' } : undefined;
  }
}

const codeOf = (error: unknown) => (isWajahError(error) && error.error) || '';

/** What a session says of the face: liveness alone is no word about whose it is. */
function Verdict({ state, person }: Pick<Link, 'state' | 'person'>) {
  if (state === 'passed') {
    return person ? (
      <Tag tone="good">{liveness.passedAs(personText(person))}</Tag>
    ) : (
      <Tag tone="warn">{liveness.passedUnknown}</Tag>
    );
  }
  const tone = state === 'failed' ? 'bad' : state === 'waiting' || state === 'open' ? 'info' : 'warn';
  return <Tag tone={tone}>{messageFor(liveness, `state_${state}`) ?? state}</Tag>;
}

/** Links that were lost, or are of no more use, are replaced by another one. */
const renewable: ReadonlySet<Answer['state']> = new Set(['waiting', 'failed', 'expired', 'gone']);

/** A link with its QR code while somebody can open it, and its result. */
function LinkView({ link, open }: { link: Link; open: boolean }) {
  useSession(link);
  const { id, url, qr, person, state, reasons = [], tries_left: tries = linkTries } = link;
  const name = link.name || (person ? personText(person) : liveness.anyone);
  const token = tokens.value[id];
  const waits = state === 'waiting';
  return (
    <details class="link" open={open}>
      <summary>
        <span class="row between link-line">
          <strong>{name}</strong>
          {person && link.name && <span class="small">{personText(person)}</span>}
          <span role="status">
            <Verdict state={state} person={person} />
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
        {waits && tries < linkTries && <p class="hint">{liveness.triesLeft(String(tries))}</p>}
        {renewable.has(state) && (
          <Form
            submit={liveness.anotherLink(name)}
            send={() => createLink(link)}
            onAnswer={(answer) => addLink(link, answer)}
          />
        )}
        {state === 'passed' && !token && <p class="hint">{liveness.tokenGone}</p>}
        {token && !person && <Notice tone="warn">{liveness.unseen}</Notice>}
        {token && <Token token={token.text} until={token.until} />}
      </div>
    </details>
  );
}
