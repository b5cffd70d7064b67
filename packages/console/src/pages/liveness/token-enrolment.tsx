import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import type { Picture } from '../../draw/picture.ts';
import { messages } from '../../i18n/messages.ts';
import { useLoad, useRequest } from '../../state/use-request.ts';
import { PictureInput } from '../../ui/camera/picture-input.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';

/** Enrols a picture of the person who passed, with the session's liveness token. */
export function TokenEnrolment({ token }: { token: string }) {
  const [userName, setUserName] = useState('');
  const [userId, setUserId] = useState('');
  const [chosen, setChosen] = useState<string>();
  const [picture, setPicture] = useState<Picture>();
  const galleries = useLoad((signal) => wajah.describeGalleries({}, { signal }));
  const call = useRequest<unknown>();
  const { liveness, enrolment: g } = messages.value;
  const gallery = chosen ?? preferred(galleries.answer?.facegalleries ?? []);
  async function submit(event: Event) {
    event.preventDefault();
    if (!picture || gallery === undefined) return;
    const person = { facegallery_id: gallery, user_id: userId, user_name: userName, image: picture.blob };
    await call.run((signal) => wajah.enrolFace({ ...person, liveness_token: token }, { signal }));
  }
  if (call.answer !== undefined) return <Notice tone="good">{liveness.enrolled(userName)}</Notice>;
  return (
    <form class="stack" onSubmit={(event) => void submit(event)}>
      <h3>{liveness.enrol}</h3>
      <p class="hint">{liveness.enrolText}</p>
      <SelectField
        label={liveness.gallery}
        options={(galleries.answer?.facegalleries ?? []).map(({ facegallery_id }) => facegallery_id)}
        value={gallery ?? ''}
        onChange={setChosen}
      />
      <TextField label={g.userName} value={userName} onInput={setUserName} />
      <TextField label={g.userId} value={userId} onInput={setUserId} />
      <div class="row">
        {picture && <img class="crop" src={picture.url} alt={picture.name} />}
        <div class="grow">
          <PictureInput compact label={liveness.enrol} onPictures={([taken]) => setPicture(taken)} />
        </div>
      </div>
      {call.error && <ErrorNotice error={call.error} />}
      <button type="submit" class="button main" disabled={call.busy || !picture || gallery === undefined}>
        {g.run(1)}
      </button>
    </form>
  );
}

/** A gallery that requires liveness, else the first. */
function preferred(
  galleries: readonly { facegallery_id: string; require_liveness: boolean }[],
): string | undefined {
  return (galleries.find(({ require_liveness }) => require_liveness) ?? galleries[0])?.facegallery_id;
}
