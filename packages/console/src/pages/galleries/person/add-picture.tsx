import { useState } from 'preact/hooks';
import type { DescribedPerson, Gallery } from '../../../api/types.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';
import { PictureInput } from '../../../ui/camera/picture-input.tsx';
import { Check } from '../../../ui/field.tsx';
import { ErrorNotice, Notice } from '../../../ui/notice.tsx';
import { Loading } from '../../../ui/states.tsx';
import { TakenFace } from '../enrol/taken-face.tsx';
import { mostPictures } from './most-pictures.ts';
import { useAddition } from './use-addition.ts';

interface Props {
  readonly gallery: Gallery;
  readonly person: DescribedPerson;
  readonly onAdded: () => void;
}

/** Adds a picture to those of a person, or replaces them by it. */
export function AddPicture({ gallery, person, onAdded }: Props) {
  const full = person.n_picture >= mostPictures;
  const [chosen, setChosen] = useState(false);
  const addition = useAddition(gallery.facegallery_id, person, onAdded);
  const { people, enrolment } = messages.value;
  const replace = chosen || full;
  return (
    <section class="card" aria-labelledby="add-picture">
      <h2 id="add-picture">{people.add}</h2>
      <p class="hint">{people.addHint}</p>
      {full && <Notice>{people.addFull}</Notice>}
      <Check label={people.replaceAll} checked={replace} disabled={full} onChange={setChosen} />
      <PictureInput
        paste
        compact
        label={people.add}
        onPictures={([picture]) => picture && void addition.add(picture, replace, true)}
      />
      <p class="hint">{enrolment.size(formatNumber(gallery.minimum_face))}</p>
      <Result addition={addition} replace={replace} />
    </section>
  );
}

function Result(props: { addition: ReturnType<typeof useAddition>; replace: boolean }) {
  const { picture, outcome, busy, error, add } = props.addition;
  const { people, enrolment } = messages.value;
  if (!picture) return null;
  const score = (value: number) => formatNumber(value, 3);
  return (
    <div class="addition">
      <TakenFace picture={picture} taken={error ? undefined : outcome?.taken} />
      <div class="stack" aria-live="polite">
        {busy && <Loading text={people.comparing} />}
        {error && <ErrorNotice error={error} onRetry={() => void add(picture, props.replace, true)} />}
        {!error && outcome?.taken && (
          <Notice tone="good">
            <p>{outcome.compared ? people.added(score(outcome.compared.similarity)) : enrolment.enrolled}</p>
            <p>{enrolment.taken(outcome.taken.found)}</p>
          </Notice>
        )}
        {!error && outcome?.compared && !outcome.taken && (
          <Notice tone="warn">
            <p>{people.doubtful(score(outcome.compared.similarity), score(outcome.compared.threshold))}</p>
            <p>
              <button type="button" class="button" onClick={() => void add(picture, props.replace, false)}>
                {people.addAnyway}
              </button>
            </p>
          </Notice>
        )}
      </div>
    </div>
  );
}
