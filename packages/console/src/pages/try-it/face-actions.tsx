import { useEffect, useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { type Box, croppedPicture, type Picture, releasePictures } from '../../draw/picture.ts';
import { common, tryIt } from '../../i18n/messages.ts';
import { useRequest } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { GalleryChoice, useGalleries } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
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
      <button type="button" class="button" onClick={() => void search()}>
        {tryIt.searchFace}
      </button>
      <button type="button" class="button" onClick={() => void face().then(setEnrolled)}>
        {tryIt.enrolFace}
      </button>
      {enrolled && <EnrolDialog picture={enrolled} onClose={() => setEnrolled(undefined)} />}
    </div>
  );
}

/** Enrols the face of a picture, which the dialog owns. */
function EnrolDialog({ picture, onClose }: { picture: Picture; onClose: () => void }) {
  const galleries = useGalleries();
  const [person, setPerson] = useState({ user_name: '', user_id: '' });
  const enrolment = useRequest<string>();
  const gallery = galleries.chosen?.facegallery_id ?? '';
  useEffect(() => () => releasePictures([picture]), []);
  function enrol(event: Event) {
    event.preventDefault();
    void enrolment.run(async (signal) => {
      const request = { facegallery_id: gallery, ...person, image: picture.blob, check_duplicate: true };
      await wajah.enrolFace(request, { signal });
      return person.user_name;
    });
  }
  if (enrolment.answer !== undefined && !enrolment.busy && !enrolment.error) {
    return <Enrolled name={enrolment.answer} gallery={gallery} onClose={onClose} />;
  }
  return (
    <Dialog title={tryIt.enrolFace} onClose={onClose}>
      <form class="stack" onSubmit={enrol}>
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
        {enrolment.error && <ErrorNotice error={enrolment.error} />}
        <div class="row end">
          <button type="button" class="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button type="submit" class="button main" disabled={enrolment.busy || gallery === ''}>
            {enrolment.busy ? tryIt.enrolling : tryIt.enrol}
          </button>
        </div>
      </form>
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
        <button type="button" class="button main" onClick={onClose}>
          {common.close}
        </button>
      </div>
    </Dialog>
  );
}
