import { useState } from 'preact/hooks';
import type { DescribedPerson, Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { type Picture, releasePictures } from '../../draw/picture.ts';
import { formatNumber } from '../../i18n/format.ts';
import { enrolment, people } from '../../i18n/messages.ts';
import { useRequest } from '../../state/request.ts';
import { Card } from '../../ui/card.tsx';
import { Check } from '../../ui/field.tsx';
import { Button } from '../../ui/icon.tsx';
import { ErrorNotice, Loading, Notice } from '../../ui/notice.tsx';
import { PictureInput } from '../../ui/picture-input.tsx';
import { type Taken, TakenFace } from './faces.tsx';

/** Pictures that a person may be enrolled with: the server's limit. */
export const mostPictures = 50;

/** Adds a picture to those of a person, or replaces them by it. */
export function AddPicture({
  gallery,
  person,
  onAdded,
}: {
  gallery: Gallery;
  person: DescribedPerson;
  onAdded: () => void;
}) {
  const full = person.n_picture >= mostPictures;
  const [chosen, setChosen] = useState(false);
  const addition = useAddition(gallery.facegallery_id, person, onAdded);
  const replace = chosen || full;
  return (
    <Card title={people.add}>
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
    </Card>
  );
}

function Result(props: { addition: ReturnType<typeof useAddition>; replace: boolean }) {
  const { picture, outcome, busy, error, add } = props.addition;
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
              <Button onClick={() => void add(picture, props.replace, false)}>{people.addAnyway}</Button>
            </p>
          </Notice>
        )}
      </div>
    </div>
  );
}

/** What became of a picture. */
interface Outcome {
  /** Undefined: it was not added, since the face may be of somebody else. */
  readonly taken: Taken | undefined;
  /** With the person before; undefined: not compared. */
  readonly compared: { readonly similarity: number; readonly threshold: number } | undefined;
}

/** Adds a picture to a person, after it was compared with the person. */
function useAddition(gallery: string, person: DescribedPerson, onAdded: () => void) {
  const [picture, setPicture] = useState<Picture>();
  const call = useRequest<Outcome>();
  const of = { facegallery_id: gallery, user_id: person.user_id };

  async function compare(
    image: Blob,
    signal: AbortSignal,
  ): Promise<Outcome['compared'] & { verified: boolean }> {
    const { similarity, threshold, verified } = await wajah.verifyFace({ ...of, image }, { signal });
    return { similarity, threshold, verified };
  }
  async function enrol(image: Blob, replace: boolean, signal: AbortSignal): Promise<Taken> {
    const way = replace ? { replace: true } : { append: true };
    const fields = {
      ...of,
      user_name: person.user_name,
      image,
      check_duplicate: true,
      details: true,
      ...way,
    };
    const { face, found } = await wajah.enrolFace(fields, { signal });
    return { box: face!.box, found: found! };
  }
  /** @param checked without it the picture is added whomever it shows */
  async function add(next: Picture, replace: boolean, checked: boolean): Promise<void> {
    if (picture && picture !== next) releasePictures([picture]);
    setPicture(next);
    const done = await call.run(async (signal) => {
      const compared = checked ? await compare(next.blob, signal) : undefined;
      if (compared && !compared.verified) return { taken: undefined, compared };
      return { taken: await enrol(next.blob, replace, signal), compared };
    });
    if (done?.taken) onAdded();
  }
  return { picture, outcome: call.busy ? undefined : call.answer, busy: call.busy, error: call.error, add };
}
