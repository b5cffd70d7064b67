import { useEffect, useState } from 'preact/hooks';
import { releasePictures } from '../../draw/picture.ts';
import { messages } from '../../i18n/messages.ts';
import { PictureInput } from '../../ui/camera/picture-input.tsx';
import { Check } from '../../ui/field.tsx';
import { EnroleeRow } from './enrolee-row.tsx';
import { type Enrolee, enroleeFrom, isReady, type Options, useEnrolment } from './use-enrolment.ts';

/** Enrols people from pictures, with a result for each. */
export function EnrolPanel({ gallery, onEnrolled }: { gallery: string; onEnrolled: () => void }) {
  const [options, setOptions] = useState<Options>({
    replace: false,
    check_duplicate: false,
    check_single_face: false,
  });
  const list = useEnrolment(gallery, options, onEnrolled);
  const { enrolees } = list;
  const { galleries } = messages.value;
  useEffect(() => () => releasePictures(enrolees.map(({ picture }) => picture)), []);
  return (
    <section class="card" aria-labelledby="enrol">
      <h2 id="enrol">{galleries.enrol}</h2>
      <PictureInput
        multiple
        paste
        compact
        label={galleries.enrol}
        onPictures={(pictures) => list.add(pictures.map(enroleeFrom))}
      />
      {enrolees.length > 0 && (
        <>
          <p class="hint">{galleries.enrolHint}</p>
          <ul class="enrolees">
            {enrolees.map((enrolee) => (
              <EnroleeRow
                key={enrolee.picture.url}
                enrolee={enrolee}
                onChange={(changes) => list.change(enrolee.picture, changes)}
                onDrop={() => list.drop(enrolee.picture)}
              />
            ))}
          </ul>
          <Check
            label={galleries.replace}
            checked={options.replace}
            onChange={(replace) => setOptions({ ...options, replace })}
          />
          <Check
            label={galleries.duplicates}
            checked={options.check_duplicate}
            onChange={(check_duplicate) => setOptions({ ...options, check_duplicate })}
          />
          <Check
            label={galleries.singleFace}
            checked={options.check_single_face}
            onChange={(check_single_face) => setOptions({ ...options, check_single_face })}
          />
          <Progress enrolees={enrolees} running={list.running} />
          <Actions list={list} />
        </>
      )}
    </section>
  );
}

function Progress({ enrolees, running }: { enrolees: readonly Enrolee[]; running: boolean }) {
  const { galleries } = messages.value;
  const count = (state: Enrolee['state']) => enrolees.filter((one) => one.state === state).length;
  const good = count('enrolled');
  const bad = count('failed');
  return (
    <div class="stack tight" aria-live="polite">
      {running && (
        <progress
          aria-label={galleries.enrolling(good + bad, enrolees.length)}
          max={enrolees.length}
          value={good + bad}
        />
      )}
      {running && <p class="hint">{galleries.enrolling(good + bad, enrolees.length)}</p>}
      {!running && good + bad > 0 && <p>{galleries.summary(good, bad)}</p>}
    </div>
  );
}

function Actions({ list }: { list: ReturnType<typeof useEnrolment> }) {
  const { galleries } = messages.value;
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
        {galleries.enrolRun(ready)}
      </button>
      <button type="button" class="button plain" onClick={list.clear}>
        {galleries.clear}
      </button>
    </div>
  );
}
