import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { words } from '../../i18n/words.ts';
import { useCall } from '../../state/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

interface Props {
  readonly gallery: string;
  readonly userId: string;
  readonly name: string;
  readonly onDeleted: () => void;
}

/** Deletes one person, after a question. */
export function PersonDelete(props: Props) {
  const [asking, setAsking] = useState(false);
  const { galleries } = words.value;
  return (
    <>
      <button
        type="button"
        class="button plain icon"
        aria-label={galleries.deletePerson(props.name)}
        title={galleries.deletePerson(props.name)}
        onClick={() => setAsking(true)}
      >
        <Icon name="trash" />
      </button>
      {asking && <Question {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

function Question({ gallery, userId, name, onDeleted, onClose }: Props & { onClose: () => void }) {
  const call = useCall<unknown>();
  const { galleries, common } = words.value;
  async function remove() {
    if ((await call.run(() => wajah.deleteFace({ facegallery_id: gallery, user_id: userId }))) === undefined)
      return;
    onClose();
    onDeleted();
  }
  return (
    <Dialog title={galleries.deletePersonTitle(name)} onClose={onClose}>
      <p>{galleries.deletePersonText}</p>
      {call.error && <ErrorNotice error={call.error} />}
      <div class="row end">
        <button type="button" class="button" onClick={onClose}>
          {common.cancel}
        </button>
        <button type="button" class="button danger" disabled={call.busy} onClick={() => void remove()}>
          {common.remove}
        </button>
      </div>
    </Dialog>
  );
}
