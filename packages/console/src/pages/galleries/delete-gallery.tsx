import { useState } from 'preact/hooks';
import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { showNumber, words } from '../../i18n/words.ts';
import { hrefOf } from '../../state/route.ts';
import { useCall } from '../../state/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

/** A button, and the question whether it is really meant. */
export function DeleteGallery({ gallery }: { gallery: Gallery }) {
  const [asking, setAsking] = useState(false);
  const { galleries } = words.value;
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
  const call = useCall<unknown>();
  const { galleries, common } = words.value;
  async function submit(event: Event) {
    event.preventDefault();
    const done = await call.run(() => wajah.deleteGallery({ facegallery_id: name }));
    if (done !== undefined) location.hash = hrefOf('galleries');
  }
  return (
    <Dialog title={galleries.deleteTitle(name)} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <p>{galleries.deleteText(galleries.peopleCount(people, showNumber(people)))}</p>
        <Field
          label={galleries.name}
          control={(ids) => (
            <input
              {...ids}
              type="text"
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          )}
        />
        {call.error && <ErrorNotice error={call.error} />}
        <div class="row end">
          <button type="button" class="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button type="submit" class="button danger" disabled={typed !== name || call.busy}>
            {galleries.deleteGallery}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
