import { useEffect, useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { type Box, croppedPicture, type Picture, releasePictures } from '../../draw/picture.ts';
import { common, tryIt } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { GalleryChoice, useGalleries } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, TextField } from '../../ui/field.tsx';
import { Button } from '../../ui/icon.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { question, show } from '../recognise/looks.ts';

/** What can be done with a face. @param props.box cuts the face out of a picture of several; undefined: the picture */
export function FaceActions(props: { picture: Picture; box: Box | undefined }) {
  const [enrolled, setEnrolled] = useState<Picture>();
  const face = () => croppedPicture(props.picture, props.box);
  async function search() {
    question.value = 'who';
    show(await face());
    location.hash = hrefOf('recognise');
  }
  return (
    <div class="two">
      <Button onClick={() => void search()}>{tryIt.searchFace}</Button>
      <Button onClick={() => void face().then(setEnrolled)}>{tryIt.enrolFace}</Button>
      {enrolled && <EnrolDialog picture={enrolled} onClose={() => setEnrolled(undefined)} />}
    </div>
  );
}

/** Enrols the face of a picture, which the dialog owns. */
function EnrolDialog({ picture, onClose }: { picture: Picture; onClose: () => void }) {
  const galleries = useGalleries();
  const [person, setPerson] = useState({ user_name: '', user_id: '' });
  const [enrolled, setEnrolled] = useState('');
  const gallery = galleries.chosen?.facegallery_id ?? '';
  const request = { facegallery_id: gallery, ...person, image: picture.blob, check_duplicate: true };
  useEffect(() => () => releasePictures([picture]), []);
  if (enrolled !== '') return <Enrolled name={enrolled} gallery={gallery} onClose={onClose} />;
  return (
    <Dialog title={tryIt.enrolFace} onClose={onClose}>
      <Form
        look="main"
        submit={tryIt.enrol}
        busy={tryIt.enrolling}
        disabled={gallery === ''}
        send={(signal) => wajah.enrolFace(request, { signal })}
        onAnswer={() => setEnrolled(person.user_name)}
        onCancel={onClose}
      >
        <img class="face-picture small-picture" src={picture.url} alt="" />
        {galleries.error && <ErrorNotice error={galleries.error} onRetry={galleries.reload} />}
        <GalleryChoice {...galleries} />
        <TextField
          label={tryIt.personName}
          value={person.user_name}
          onInput={(user_name) => setPerson({ ...person, user_name })}
        />
        <TextField
          label={tryIt.personId}
          identifier
          value={person.user_id}
          onInput={(user_id) => setPerson({ ...person, user_id })}
        />
      </Form>
    </Dialog>
  );
}

function Enrolled({ name, gallery, onClose }: { name: string; gallery: string; onClose: () => void }) {
  return (
    <Dialog title={tryIt.enrolFace} onClose={onClose}>
      <div role="status">
        <Notice tone="good">{tryIt.enrolled(name, gallery)}</Notice>
      </div>
      <div class="row end">
        <a class="button" href={hrefOf('galleries', gallery)}>
          {tryIt.openGallery}
        </a>
        <Button look="main" onClick={onClose}>
          {common.close}
        </Button>
      </div>
    </Dialog>
  );
}
