import { useLayoutEffect, useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { messages } from '../../i18n/messages.ts';
import { useLoad } from '../../state/use-request.ts';
import { SelectField, TextField } from '../../ui/field.tsx';

/** The person and the number of steps of a session. */
export interface Subject {
  readonly steps: number;
  readonly gallery?: string;
  readonly userId?: string;
}

/** Chooses any person or an enrolled one. */
export function SubjectForm({
  subject,
  onChange,
}: {
  subject: Subject;
  onChange: (subject: Subject) => void;
}) {
  const [kind, setKind] = useState<'anybody' | 'somebody'>('anybody');
  const { liveness } = messages.value;
  const choose = (chosen: typeof kind) => {
    setKind(chosen);
    onChange({ steps: subject.steps });
  };
  return (
    <section class="card" aria-labelledby="whom">
      <h2 id="whom">{liveness.whom}</h2>
      <fieldset class="stack tight">
        <legend class="visually-hidden">{liveness.whom}</legend>
        {(['anybody', 'somebody'] as const).map((one) => (
          <label key={one} class="check">
            <input type="radio" name="whom" checked={kind === one} onChange={() => choose(one)} />
            {liveness[one]}
          </label>
        ))}
      </fieldset>
      {kind === 'somebody' && <EnrolledUser subject={subject} onChange={onChange} />}
      <SelectField
        label={liveness.steps}
        value={String(subject.steps)}
        options={['2', '3', '4', '5']}
        onChange={(steps) => onChange({ ...subject, steps: Number(steps) })}
      />
    </section>
  );
}

function EnrolledUser({ subject, onChange }: { subject: Subject; onChange: (subject: Subject) => void }) {
  const load = useLoad((signal) => wajah.describeGalleries({}, { signal }));
  const names = load.answer?.facegalleries.map(({ facegallery_id }) => facegallery_id) ?? [];
  const { liveness } = messages.value;
  // The list may arrive after the ID was typed, and before its next letter.
  useLayoutEffect(() => {
    if (subject.gallery === undefined && names[0] !== undefined) onChange({ ...subject, gallery: names[0] });
  }, [subject, names[0]]);
  return (
    <>
      <SelectField
        label={liveness.gallery}
        options={names}
        value={subject.gallery ?? ''}
        onChange={(name) => onChange({ ...subject, gallery: name })}
      />
      <TextField
        label={liveness.userId}
        identifier
        value={subject.userId ?? ''}
        onInput={(userId) => onChange({ ...subject, userId })}
      />
    </>
  );
}
