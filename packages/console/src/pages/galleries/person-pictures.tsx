import type { DescribedPerson } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatNumber } from '../../i18n/format.ts';
import { people } from '../../i18n/messages.ts';
import { useLoad } from '../../state/request.ts';
import { Card } from '../../ui/card.tsx';
import { FormDialog, OpenButton, Opens } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon.tsx';
import { LoadState } from '../../ui/notice.tsx';
import { addressOf } from '../../ui/person-face.tsx';
import { FaceDialog } from './faces.tsx';

interface Props {
  readonly gallery: string;
  readonly person: DescribedPerson;
  readonly onChanged: () => void;
}

/** The pictures that a person is enrolled with: each is shown large, and removed unless it is the only one. */
export function PersonPictures({ gallery, person, onChanged }: Props) {
  const of = { facegallery_id: gallery, user_id: person.user_id };
  const load = useLoad((signal) => wajah.getFacePictures(of, { signal }));
  const all = (load.answer?.pictures ?? []).map(({ picture_id: id, image }, at) => {
    return { id, address: addressOf(image), number: at + 1 };
  });
  const shown = all.every(({ address }) => address !== null);
  return (
    <Card title={people.pictures}>
      <LoadState load={load} />
      {all.length > 0 && shown && (
        <ul class="wall pictures">
          {all.map((one) => (
            <li key={one.id}>
              <Shown of={of} name={person.user_name} picture={one} />
              {all.length > 1 && <Removal of={of} person={person} picture={one} onRemoved={onChanged} />}
            </li>
          ))}
        </ul>
      )}
      {all.length > 0 && !shown && (
        <div class="row">
          <OpenButton icon="person" text={people.showFaceShort}>
            {(close) => (
              <FaceDialog gallery={gallery} userId={person.user_id} name={person.user_name} onClose={close} />
            )}
          </OpenButton>
        </div>
      )}
      <p class="hint">{picturesHint(all.length, shown)}</p>
    </Card>
  );
}

function picturesHint(count: number, shown: boolean): string {
  if (!shown) return people.picturesUnknown;
  return count === 1 ? people.pictureOnly : people.lookRecorded;
}

interface OnePicture {
  readonly id: string;
  readonly address: string | null;
  /** From 1. */
  readonly number: number;
}

type Of = { readonly facegallery_id: string; readonly user_id: string };

function Shown({ of, name, picture }: { of: Of; name: string; picture: OnePicture }) {
  const title = people.pictureOf(formatNumber(picture.number), name);
  return (
    <Opens
      button={(open) => (
        <button type="button" class="bare taken person-face" aria-label={title} onClick={open}>
          <img src={picture.address ?? ''} alt="" />
        </button>
      )}
    >
      {(close) => (
        <FaceDialog
          gallery={of.facegallery_id}
          userId={of.user_id}
          pictureId={picture.id}
          name={title}
          onClose={close}
        />
      )}
    </Opens>
  );
}

function Removal(props: { of: Of; person: DescribedPerson; picture: OnePicture; onRemoved: () => void }) {
  const { of, person, picture, onRemoved } = props;
  const title = people.pictureOf(formatNumber(picture.number), person.user_name);
  return (
    <Opens button={(open) => <IconButton icon="trash" label={people.removePicture(title)} onClick={open} />}>
      {(close) => (
        <FormDialog
          title={people.removeTitle}
          confirm={people.removeOne}
          send={() => wajah.deleteFacePicture({ ...of, picture_id: picture.id })}
          onAnswer={onRemoved}
          onClose={close}
        >
          <img class="face-picture" src={picture.address ?? ''} alt={title} />
          <p>{people.removeText(formatNumber(person.n_picture - 1))}</p>
        </FormDialog>
      )}
    </Opens>
  );
}
