import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { words } from '../../i18n/words.ts';
import { useLoad } from '../../state/use-call.ts';
import { Field } from '../../ui/field.tsx';
import { GalleryChoice } from './gallery-choice.tsx';

/** Who is to be checked, and how much they are asked to do. */
export interface Person {
  readonly steps: number;
  readonly gallery?: string;
  readonly userId?: string;
}

/** Anybody, or somebody who is enrolled. */
export function PersonChoice({ person, onChange }: { person: Person; onChange: (person: Person) => void }) {
  const [whom, setWhom] = useState<'anybody' | 'somebody'>('anybody');
  const { liveness } = words.value;
  const choose = (chosen: typeof whom) => {
    setWhom(chosen);
    onChange({ steps: person.steps });
  };
  return (
    <section class="card" aria-labelledby="whom">
      <h2 id="whom">{liveness.whom}</h2>
      <fieldset class="stack tight">
        <legend class="unseen">{liveness.whom}</legend>
        {(['anybody', 'somebody'] as const).map((one) => (
          <label key={one} class="check">
            <input type="radio" name="whom" checked={whom === one} onChange={() => choose(one)} />
            {liveness[one]}
          </label>
        ))}
      </fieldset>
      {whom === 'somebody' && <Enrolled person={person} onChange={onChange} />}
      <Field
        label={liveness.steps}
        control={(ids) => (
          <select
            {...ids}
            value={String(person.steps)}
            onChange={(event) => onChange({ ...person, steps: Number(event.currentTarget.value) })}
          >
            {['2', '3', '4', '5'].map((count) => (
              <option key={count} value={count}>
                {count}
              </option>
            ))}
          </select>
        )}
      />
    </section>
  );
}

function Enrolled({ person, onChange }: { person: Person; onChange: (person: Person) => void }) {
  const load = useLoad((signal) => wajah.describeGalleries({}, { signal }));
  const names = load.answer?.facegalleries.map(({ facegallery_id }) => facegallery_id) ?? [];
  const gallery = person.gallery ?? names[0] ?? '';
  const { liveness } = words.value;
  return (
    <>
      <GalleryChoice
        names={names}
        value={gallery}
        onChange={(name) => onChange({ ...person, gallery: name })}
      />
      <Field
        label={liveness.userId}
        control={(ids) => (
          <input
            {...ids}
            type="text"
            maxLength={120}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            value={person.userId ?? ''}
            onChange={(event) => onChange({ ...person, gallery, userId: event.currentTarget.value.trim() })}
          />
        )}
      />
    </>
  );
}
