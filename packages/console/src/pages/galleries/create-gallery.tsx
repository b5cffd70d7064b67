import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { words } from '../../i18n/words.ts';
import { useCall } from '../../state/use-call.ts';
import { Check, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

/** A name, and whether faces need a liveness proof. */
export function CreateGallery({ onCreated }: { onCreated: () => void }) {
  const [name, setName] = useState('');
  const [proof, setProof] = useState(false);
  const call = useCall<unknown>();
  const { galleries } = words.value;
  async function submit(event: Event) {
    event.preventDefault();
    const made = await call.run(() => wajah.createGallery({ facegallery_id: name, require_liveness: proof }));
    if (made === undefined) return;
    setName('');
    setProof(false);
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
          checked={proof}
          onChange={setProof}
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
