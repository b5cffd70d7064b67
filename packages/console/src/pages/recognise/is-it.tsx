import { calls, type Person, type VerifyFaceAnswer } from '@wajah/client';
import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import type { Picture } from '../../draw/picture.ts';
import { type SimilarityWord, similarityWord } from '../../draw/similarity-scale.ts';
import { recognise } from '../../i18n/messages.ts';
import { EmptyState } from '../../ui/notice.tsx';
import { PictureView } from '../../ui/picture-view.tsx';
import { SimilarityResult } from '../../ui/similarity.tsx';
import { AnswerView, ThresholdControl, TitleLine } from './answer.tsx';
import { type Answered, useLook } from './looks.ts';

async function verify(
  gallery: string,
  { user_id }: Person,
  picture: Picture,
  signal: AbortSignal,
): Promise<Answered<VerifyFaceAnswer>> {
  const fields = { facegallery_id: gallery, user_id, image: picture };
  const answer = await wajah.verifyFace({ ...fields, image: picture.blob }, { signal });
  return { answer, call: { path: calls.verifyFace.path, fields, answer } };
}

/** The picture, and whether it shows the chosen person. @param props.person undefined: nobody is chosen yet */
export function IsIt({ gallery, person }: { gallery: string; person: Person | undefined }) {
  const looked = useLook(person && `is-it ${gallery} ${person.user_id}`, (picture, signal) =>
    verify(gallery, person!, picture, signal),
  );
  const { picture, again } = looked;
  if (person === undefined) {
    return <EmptyState icon="person" title={recognise.choosePerson} text={recognise.choosePersonText} />;
  }
  if (!picture) {
    const title = recognise.isIt(person.user_name);
    return <EmptyState icon="person" title={title} text={recognise.isItText} />;
  }
  return (
    <AnswerView
      looked={looked}
      busyText={recognise.comparing}
      sight={<PictureView picture={picture} alt={recognise.pictureOf(picture.name, 1)} />}
      summary={(answer) => <Verified answer={answer} onAgain={again} />}
    />
  );
}

/** Whether a picture shows a person, by the word for the similarity. */
const personText: Readonly<Record<SimilarityWord, (name: string) => string>> = {
  same: (name) => recognise.isSame(name),
  probably: (name) => recognise.isProbably(name),
  unsure: (name) => recognise.isUnsure(name),
  different: (name) => recognise.isDifferent(name),
};

function Verified({ answer, onAgain }: { answer: VerifyFaceAnswer; onAgain: () => void }) {
  const [threshold, setThreshold] = useState(answer.threshold);
  const word = similarityWord(answer.similarity, threshold);
  return (
    <div class="stack">
      <TitleLine title={personText[word](answer.user_name)} onAgain={onAgain} />
      <SimilarityResult comparison={{ ...answer, threshold }} />
      <p class="hint">{recognise.largest}</p>
      <ThresholdControl
        threshold={threshold}
        inForce={answer.threshold}
        hint={recognise.verifyHint}
        onMove={setThreshold}
      />
    </div>
  );
}
