import { useState } from 'preact/hooks';
import type { DescribedPerson, Gallery } from '../../../api/types.ts';
import { wajah } from '../../../api/wajah.ts';
import { formatNumber, formatTime } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';
import { hrefOf } from '../../../state/route.ts';
import { useLoad } from '../../../state/use-request.ts';
import { Fact } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { ErrorNotice, Notice } from '../../../ui/notice.tsx';
import { PageHeader } from '../../../ui/page/shell.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { ErasePeople } from '../people/erase-people.tsx';
import { FaceCrop } from '../people/face-crop.tsx';
import { AddPicture } from './add-picture.tsx';
import { History } from './history.tsx';
import { mostPictures } from './most-pictures.ts';
import { Rename } from './rename.tsx';
import { Terms } from './terms.tsx';

interface Props {
  readonly gallery: Gallery;
  readonly userId: string;
  /** Called after a change of the person. */
  readonly onChanged: () => void;
}

/** One person of a gallery: name, pictures, history, erasure. */
export function PersonPage({ gallery, userId, onChanged }: Props) {
  const name = gallery.facegallery_id;
  const load = useLoad((signal) => wajah.describeFace({ facegallery_id: name, user_id: userId }, { signal }));
  const { people, enrolment } = messages.value;
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
      {load.error && <ErrorNotice error={load.error} onRetry={load.reload} />}
      {!person && load.busy && <Skeleton lines={5} />}
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
  const { people } = messages.value;
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
  const { people } = messages.value;
  const named = { userId: person.user_id, name: person.user_name };
  return (
    <section class="card" aria-labelledby="erase">
      <h2 id="erase">{people.eraseCard}</h2>
      <p class="hint">{people.eraseText}</p>
      <button type="button" class="button danger" onClick={() => setAsking(true)}>
        <Icon name="trash" />
        {people.eraseOne(person.user_name)}
      </button>
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
    </section>
  );
}
