import { useState } from 'preact/hooks';
import type { Gallery } from '../../../api/types.ts';
import { wajah } from '../../../api/wajah.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';
import { hrefOf } from '../../../state/route.ts';
import { useRequest } from '../../../state/use-request.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';

/** Deletes a gallery after a confirmation. */
export function DeleteGallery({ gallery }: { gallery: Gallery }) {
  const [asking, setAsking] = useState(false);
  const { galleries } = messages.value;
  return (
    <>
      <button type="button" class="button danger" onClick={() => setAsking(true)}>
        <Icon name="trash" />
        {galleries.deleteGallery}
      </button>
      {asking && <Question gallery={gallery} onClose={() => setAsking(false)} />}
    </>
  );
}

function Question({ gallery, onClose }: { gallery: Gallery; onClose: () => void }) {
  const { facegallery_id: name, n_face: people } = gallery;
  const [typed, setTyped] = useState('');
  const call = useRequest<unknown>();
  const { galleries } = messages.value;
  async function remove() {
    const done = await call.run(() => wajah.deleteGallery({ facegallery_id: name }));
    if (done !== undefined) location.hash = hrefOf('galleries');
  }
  return (
    <ConfirmDialog
      title={galleries.deleteTitle(name)}
      confirm={galleries.deleteGallery}
      disabled={typed !== name || call.busy}
      error={call.error}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{galleries.deleteText(galleries.peopleCount(people, formatNumber(people)))}</p>
      <TextField label={galleries.name} identifier value={typed} onInput={setTyped} />
    </ConfirmDialog>
  );
}
