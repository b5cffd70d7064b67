import { useEffect, useState } from 'preact/hooks';
import { forget } from '../../draw/picture.ts';
import { words } from '../../i18n/words.ts';
import { PictureInput } from '../../ui/camera/picture-input.tsx';
import { Check } from '../../ui/field.tsx';
import { CandidateRow } from './candidate-row.tsx';
import { type Candidate, candidateOf, isReady } from './enrolment.ts';
import { type Options, useEnrolment } from './use-enrolment.ts';

/** Enrols several people, one after another, with a result for each. */
export function EnrolPanel({ gallery, onEnrolled }: { gallery: string; onEnrolled: () => void }) {
  const [options, setOptions] = useState<Options>({ replace: false, check_duplicate: false });
  const list = useEnrolment(gallery, options, onEnrolled);
  const { candidates } = list;
  const { galleries } = words.value;
  useEffect(() => () => forget(candidates.map(({ picture }) => picture)), []);
  return (
    <section class="card" aria-labelledby="enrol">
      <h2 id="enrol">{galleries.enrol}</h2>
      <PictureInput
        multiple
        paste
        compact
        label={galleries.enrol}
        onPictures={(pictures) => list.add(pictures.map(candidateOf))}
      />
      {candidates.length > 0 && (
        <>
          <p class="hint">{galleries.enrolHint}</p>
          <ul class="candidates">
            {candidates.map((candidate) => (
              <CandidateRow
                key={candidate.picture.url}
                candidate={candidate}
                onChange={(changes) => list.change(candidate.picture, changes)}
                onDrop={() => list.drop(candidate.picture)}
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
          <Progress candidates={candidates} running={list.running} />
          <Actions list={list} />
        </>
      )}
    </section>
  );
}

function Progress({ candidates, running }: { candidates: readonly Candidate[]; running: boolean }) {
  const { galleries } = words.value;
  const count = (state: Candidate['state']) => candidates.filter((one) => one.state === state).length;
  const good = count('enrolled');
  const bad = count('failed');
  return (
    <div class="stack tight" aria-live="polite">
      {running && (
        <progress
          aria-label={galleries.enrolling(good + bad, candidates.length)}
          max={candidates.length}
          value={good + bad}
        />
      )}
      {running && <p class="hint">{galleries.enrolling(good + bad, candidates.length)}</p>}
      {!running && good + bad > 0 && <p>{galleries.summary(good, bad)}</p>}
    </div>
  );
}

function Actions({ list }: { list: ReturnType<typeof useEnrolment> }) {
  const { galleries } = words.value;
  const ready = list.candidates.filter(isReady).length;
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
