import { useState } from 'preact/hooks';
import type { DescribedPerson, Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatNumber, formatTime } from '../../i18n/format.ts';
import { activity, common, enrolment, people } from '../../i18n/messages.ts';
import { refusalText } from '../../i18n/refusal-text.ts';
import { useLoad } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { Card, Fact } from '../../ui/card.tsx';
import { Form, TextField } from '../../ui/field.tsx';
import { Button, Icon } from '../../ui/icon.tsx';
import { LoadState, Notice, RefusalDetail } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/shell.tsx';
import { AddPicture, mostPictures } from './add-picture.tsx';
import { ErasePeople } from './erase-people.tsx';
import { FaceCrop } from './faces.tsx';
import { Terms } from './terms.tsx';

interface PersonPageProps {
  readonly gallery: Gallery;
  readonly userId: string;
  /** Called after a change of the person. */
  readonly onChanged: () => void;
}

/** One person of a gallery: name, pictures, history, erasure. */
export function PersonPage({ gallery, userId, onChanged }: PersonPageProps) {
  const name = gallery.facegallery_id;
  const load = useLoad((signal) => wajah.describeFace({ facegallery_id: name, user_id: userId }, { signal }));
  const person = load.answer;
  const changed = () => {
    load.reload();
    onChanged();
  };
  return (
    <div class="stack wide">
      <a class="up" href={hrefOf('galleries', name)}>
        <Icon name="back" />
        {people.back(name)}
      </a>
      <PageHeader title={person?.user_name ?? userId} lead={userId} />
      <LoadState load={load} lines={5} />
      {person && (
        <div class="columns side">
          <div class="stack wide">
            <About gallery={name} person={person} />
            {gallery.require_liveness ? (
              <Notice tone="warn">{enrolment.needsProof}</Notice>
            ) : (
              <AddPicture gallery={gallery} person={person} onAdded={changed} />
            )}
            <History person={person} />
          </div>
          <div class="stack wide">
            <Rename key={person.user_name} gallery={name} person={person} onRenamed={changed} />
            <Terms key={JSON.stringify(person.consent)} gallery={name} person={person} onChanged={changed} />
            <Erase gallery={name} person={person} onErased={onChanged} />
          </div>
        </div>
      )}
    </div>
  );
}

function About({ gallery, person }: { gallery: string; person: DescribedPerson }) {
  const pictures = people.picturesOf(formatNumber(person.n_picture), formatNumber(mostPictures));
  return (
    <section class="card" aria-labelledby="about">
      <div class="row between">
        <h2 id="about">{people.about}</h2>
        <FaceCrop gallery={gallery} userId={person.user_id} name={person.user_name} text />
      </div>
      <dl class="facts">
        <Fact name={people.pictures} value={pictures} />
        <Fact name={people.enrolledAt} value={formatTime(person.created_at)} />
        <Fact name={people.changedAt} value={formatTime(person.updated_at)} />
      </dl>
    </section>
  );
}

function Erase(props: { gallery: string; person: DescribedPerson; onErased: () => void }) {
  const { gallery, person, onErased } = props;
  const [asking, setAsking] = useState(false);
  const named = { userId: person.user_id, name: person.user_name };
  return (
    <Card title={people.eraseCard}>
      <p class="hint">{people.eraseText}</p>
      <Button look="danger" icon="trash" onClick={() => setAsking(true)}>
        {people.eraseOne(person.user_name)}
      </Button>
      {asking && (
        <ErasePeople
          gallery={gallery}
          people={[named]}
          onClose={() => setAsking(false)}
          onErased={() => {
            onErased();
            location.hash = hrefOf('galleries', gallery);
          }}
        />
      )}
    </Card>
  );
}

type Refused = DescribedPerson['refusals'][number];

/** What the server knows of a person's past: enrolment, last change, refused calls; the newest first. */
function History({ person }: { person: DescribedPerson }) {
  const entries = [
    ...person.refusals.map((call) => ({ at: call.time, what: <RefusedCall call={call} />, tone: 'warn' })),
    ...(person.updated_at === person.created_at
      ? []
      : [{ at: person.updated_at, what: <p>{people.historyChanged}</p>, tone: '' }]),
    { at: person.created_at, what: <p>{people.historyEnrolled}</p>, tone: 'good' },
  ].sort((a, b) => b.at.localeCompare(a.at));
  return (
    <Card title={people.history}>
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
    </Card>
  );
}

function RefusedCall({ call }: { call: Refused }) {
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

/** Changes the name of a person. */
function Rename(props: { gallery: string; person: DescribedPerson; onRenamed: () => void }) {
  const { gallery, person, onRenamed } = props;
  const [name, setName] = useState(person.user_name);
  const fields = { facegallery_id: gallery, user_id: person.user_id, user_name: name };
  return (
    <Card title={people.rename}>
      <Form
        submit={common.save}
        disabled={name.trim() === '' || name.trim() === person.user_name}
        send={() => wajah.updateFace(fields)}
        onAnswer={onRenamed}
      >
        <TextField label={people.newName} value={name} onInput={setName} />
      </Form>
    </Card>
  );
}
