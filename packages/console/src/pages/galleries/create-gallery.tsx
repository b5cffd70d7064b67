import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { messages } from '../../i18n/messages.ts';
import { useRequest } from '../../state/use-request.ts';
import { Check, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

export function CreateGallery({ onCreated }: { onCreated: () => void }) {
  const [name, setName] = useState('');
  const [liveness, setLiveness] = useState(false);
  const call = useRequest<unknown>();
  const { galleries } = messages.value;
  async function submit(event: Event) {
    event.preventDefault();
    const created = await call.run(() =>
      wajah.createGallery({ facegallery_id: name, require_liveness: liveness }),
    );
    if (created === undefined) return;
    setName('');
    setLiveness(false);
    onCreated();
  }
  return (
    <section class="card" aria-labelledby="create-gallery">
      <h2 id="create-gallery">{galleries.create}</h2>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <TextField
          label={galleries.name}
          hint={galleries.createHint}
          identifier
          value={name}
          onInput={setName}
        />
        <Check
          label={galleries.requireLiveness}
          hint={galleries.requireLivenessHint}
          checked={liveness}
          onChange={setLiveness}
        />
        {call.error && <ErrorNotice error={call.error} />}
        <button type="submit" class="button main" disabled={call.busy || name.trim() === ''}>
          <Icon name="plus" />
          {galleries.createButton}
        </button>
      </form>
    </section>
  );
}
