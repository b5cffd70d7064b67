import { useEffect, useState } from 'preact/hooks';
import { wajah } from '../api/wajah.ts';
import type { Picture } from '../draw/picture.ts';
import { formatClock } from '../i18n/format.ts';
import { common, enrolment, liveness } from '../i18n/messages.ts';
import { hrefOf } from '../state/route.ts';
import { isSampleGallery, useGalleries } from '../ui/choice.tsx';
import { CopyButton } from '../ui/code.tsx';
import { ConsentInput, consentFields, newConsent } from '../ui/consent-input.tsx';
import { Check, Form, SelectField, TextField, useFields } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { PictureInput } from '../ui/picture-input.tsx';

/** The liveness token of a passed session, and a form that enrols with it. @param props.until when it expires, milliseconds */
export function Token({ token, until }: { token: string; until: number }) {
  return (
    <>
      <TokenEnrolment key={token} token={token} until={until} />
      <details>
        <summary>
          <h3>{liveness.token}</h3>
        </summary>
        <div class="stack tight">
          <p class="hint">{liveness.tokenText}</p>
          <div class="row">
            <code class="clip grow">{token}</code>
            <CopyButton text={token} />
          </div>
        </div>
      </details>
    </>
  );
}

/** The galleries of real people, and the chosen one: at first one that requires liveness, else that of the other pages. */
function useTarget() {
  const [chosen, choose] = useState<string>();
  const { galleries, chosen: usual } = useGalleries();
  const real = galleries.filter(({ facegallery_id: name }) => !isSampleGallery(name));
  const gallery =
    real.find(({ facegallery_id: name }) => name === chosen) ??
    real.find(({ require_liveness }) => require_liveness) ??
    real.find((one) => one === usual) ??
    real[0];
  return { real, gallery, choose };
}

/** Enrols the person who passed with the session's liveness token: its best frame, or another picture. */
function TokenEnrolment({ token, until }: { token: string; until: number }) {
  const { values, field } = useFields({ user_name: '', user_id: '' });
  const { real, gallery, choose } = useTarget();
  const [picture, setPicture] = useState<Picture>();
  const consent = useFields(newConsent());
  const [unique, setUnique] = useState(true);
  const [enrolled, setEnrolled] = useState(false);
  const [expired, setExpired] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setExpired(true), until - Date.now());
    return () => clearTimeout(timer);
  }, [until]);
  const time = formatClock(new Date(until));
  const image = picture ? { image: picture.blob } : { use_session_frame: true };
  const proof = { liveness_token: token, check_duplicate: unique, ...image };
  const terms = gallery?.require_consent ? consentFields(consent.values) : {};
  if (enrolled && gallery) {
    return (
      <Notice tone="good">
        <p>{liveness.enrolled(values.user_name)}</p>
        <a href={hrefOf('galleries', gallery.facegallery_id, 'people', values.user_id)}>
          {enrolment.openPerson}
        </a>
      </Notice>
    );
  }
  if (expired) return <Notice tone="warn">{liveness.tokenExpired(time)}</Notice>;
  return (
    <Form
      look="main"
      submit={enrolment.run(1)}
      disabled={!gallery}
      send={(signal) =>
        wajah.enrolFace(
          { facegallery_id: gallery!.facegallery_id, ...values, ...proof, ...terms },
          { signal },
        )
      }
      onAnswer={() => setEnrolled(true)}
    >
      <h3>{liveness.enrol}</h3>
      <p class="hint">
        {liveness.enrolText} {liveness.expires(time)}
      </p>
      <SelectField
        label={common.gallery}
        options={real.map(({ facegallery_id }) => facegallery_id)}
        value={gallery?.facegallery_id ?? ''}
        onChange={choose}
      />
      <TextField label={common.name} {...field('user_name')} />
      <TextField label={common.userId} {...field('user_id')} />
      {gallery?.require_consent && <ConsentInput field={consent.field} />}
      <Check label={enrolment.duplicates} checked={unique} onChange={setUnique} />
      <div class="row">
        {picture && <img class="crop" src={picture.url} alt={picture.name} />}
        <div class="grow">
          <PictureInput compact label={common.another} onPictures={([taken]) => setPicture(taken)} />
        </div>
      </div>
    </Form>
  );
}
