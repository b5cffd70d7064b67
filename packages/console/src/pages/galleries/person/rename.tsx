import { useState } from 'preact/hooks';
import type { DescribedPerson } from '../../../api/types.ts';
import { wajah } from '../../../api/wajah.ts';
import { messages } from '../../../i18n/messages.ts';
import { useRequest } from '../../../state/use-request.ts';
import { TextField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';

interface Props {
  readonly gallery: string;
  readonly person: DescribedPerson;
  readonly onRenamed: () => void;
}

/** Changes the name of a person. */
export function Rename({ gallery, person, onRenamed }: Props) {
  const [name, setName] = useState(person.user_name);
  const call = useRequest<unknown>();
  const { people, common } = messages.value;
  const same = name.trim() === '' || name.trim() === person.user_name;
  async function submit(event: Event) {
    event.preventDefault();
    const fields = { facegallery_id: gallery, user_id: person.user_id, user_name: name };
    if ((await call.run(() => wajah.updateFace(fields))) !== undefined) onRenamed();
  }
  return (
    <section class="card" aria-labelledby="rename">
      <h2 id="rename">{people.rename}</h2>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <TextField label={people.newName} value={name} onInput={setName} />
        {call.error && <ErrorNotice error={call.error} />}
        <button type="submit" class="button" disabled={call.busy || same}>
          {common.save}
        </button>
      </form>
    </section>
  );
}
