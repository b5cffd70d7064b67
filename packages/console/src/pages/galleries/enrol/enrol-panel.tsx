import { useEffect, useRef, useState } from 'preact/hooks';
import type { Gallery } from '../../../api/types.ts';
import { releasePictures } from '../../../draw/picture.ts';
import { messages } from '../../../i18n/messages.ts';
import { PictureInput } from '../../../ui/camera/picture-input.tsx';
import { TextField } from '../../../ui/field.tsx';
import { EnrolOptions } from './enrol-options.tsx';
import { EnroleeRow } from './enrolee-row.tsx';
import {
  type ConsentFields,
  type Enrolee,
  enroleeFrom,
  isReady,
  type Options,
  useEnrolment,
} from './use-enrolment.ts';

const byDefault: Options = {
  replace: false,
  check_duplicate: true,
  check_single_face: false,
  force_register: false,
};

const noConsent: ConsentFields = { consent_reference: '', consent_purpose: '' };

interface Props {
  readonly gallery: Gallery;
  /** Pasted pictures are for this panel. */
  readonly shown: boolean;
  readonly onEnrolled: () => void;
}

/** Enrols people from pictures, with a result for each. */
export function EnrolPanel({ gallery, shown, onEnrolled }: Props) {
  const [options, setOptions] = useState(byDefault);
  const [consent, setConsent] = useState(noConsent);
  const list = useEnrolment(gallery.facegallery_id, { ...options, ...consent }, onEnrolled);
  const { enrolees } = list;
  const { enrolment } = messages.value;
  const latest = useRef(enrolees);
  latest.current = enrolees;
  useEffect(() => () => releasePictures(latest.current.map(({ picture }) => picture)), []);
  return (
    <section class="card" aria-labelledby="enrol">
      <h2 id="enrol">{enrolment.title}</h2>
      <PictureInput
        multiple
        paste={shown}
        compact
        label={enrolment.title}
        onPictures={(pictures) => list.add(pictures.map(enroleeFrom))}
      />
      {enrolees.length > 0 && (
        <>
          <p class="hint">{enrolment.hint}</p>
          <Rows gallery={gallery.facegallery_id} list={list} />
          {gallery.require_consent && <ConsentOfAll consent={consent} onChange={setConsent} />}
          <EnrolOptions options={options} minimumFace={gallery.minimum_face} onChange={setOptions} />
          <Progress enrolees={enrolees} running={list.running} />
          <Actions list={list} />
        </>
      )}
    </section>
  );
}

/** The gallery requires a consent: one for all people of the list. */
function ConsentOfAll(props: { consent: ConsentFields; onChange: (consent: ConsentFields) => void }) {
  const { consent, onChange } = props;
  const { terms } = messages.value;
  return (
    <>
      <TextField
        label={terms.reference}
        value={consent.consent_reference}
        onInput={(consent_reference) => onChange({ ...consent, consent_reference })}
      />
      <TextField
        label={terms.purpose}
        value={consent.consent_purpose}
        onInput={(consent_purpose) => onChange({ ...consent, consent_purpose })}
        optional
      />
    </>
  );
}

function Rows({ gallery, list }: { gallery: string; list: ReturnType<typeof useEnrolment> }) {
  const { enrolment } = messages.value;
  return (
    <div>
      <div class="enrolee-heads" aria-hidden="true">
        <span>{enrolment.picture}</span>
        <span>{enrolment.userName}</span>
        <span>{enrolment.userId}</span>
        <span>{enrolment.result}</span>
      </div>
      <ul class="enrolees">
        {list.enrolees.map((enrolee) => (
          <EnroleeRow
            key={enrolee.picture.url}
            gallery={gallery}
            enrolee={enrolee}
            onChange={(changes) => list.change(enrolee.picture, changes)}
            onDrop={() => list.drop(enrolee.picture)}
          />
        ))}
      </ul>
    </div>
  );
}

function Progress({ enrolees, running }: { enrolees: readonly Enrolee[]; running: boolean }) {
  const { enrolment } = messages.value;
  const count = (state: Enrolee['state']) => enrolees.filter((one) => one.state === state).length;
  const good = count('enrolled');
  const bad = count('failed');
  return (
    <div class="stack tight" aria-live="polite">
      {running && (
        <progress
          aria-label={enrolment.running(good + bad, enrolees.length)}
          max={enrolees.length}
          value={good + bad}
        />
      )}
      {running && <p class="hint">{enrolment.running(good + bad, enrolees.length)}</p>}
      {!running && good + bad > 0 && <p>{enrolment.summary(good, bad)}</p>}
    </div>
  );
}

function Actions({ list }: { list: ReturnType<typeof useEnrolment> }) {
  const { enrolment, galleries } = messages.value;
  const ready = list.enrolees.filter(isReady).length;
  if (list.running) {
    return (
      <button type="button" class="button" onClick={list.stop}>
        {galleries.stop}
      </button>
    );
  }
  return (
    <div class="row">
      <button type="button" class="button main" disabled={ready === 0} onClick={() => void list.run()}>
        {enrolment.run(ready)}
      </button>
      <button type="button" class="button plain" onClick={list.clear}>
        {enrolment.clear}
      </button>
    </div>
  );
}
