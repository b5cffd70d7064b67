import { useState } from 'preact/hooks';
import { type Box, croppedPicture, type Picture } from '../../draw/picture.ts';
import { messages } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { question, show } from '../recognise/looks.ts';
import { EnrolDialog } from './enrol-dialog.tsx';

/** What can be done with a face. @param props.box cuts the face out of a picture of several; undefined: the picture */
export function FaceActions(props: { picture: Picture; box: Box | undefined }) {
  const [enrolled, setEnrolled] = useState<Picture>();
  const { tryIt } = messages.value;
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
