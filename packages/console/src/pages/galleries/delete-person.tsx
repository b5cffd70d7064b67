import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { messages } from '../../i18n/messages.ts';
import { useRequest } from '../../state/use-request.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon.tsx';

interface Props {
  readonly gallery: string;
  readonly userId: string;
  readonly name: string;
  readonly onDeleted: () => void;
}

/** Deletes a person after a confirmation. */
export function DeletePerson(props: Props) {
  const [asking, setAsking] = useState(false);
  const { galleries } = messages.value;
  return (
    <>
      <IconButton icon="trash" label={galleries.deletePerson(props.name)} onClick={() => setAsking(true)} />
      {asking && <Question {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

function Question({ gallery, userId, name, onDeleted, onClose }: Props & { onClose: () => void }) {
  const call = useRequest<unknown>();
  const { galleries, common } = messages.value;
  async function remove() {
    if ((await call.run(() => wajah.deleteFace({ facegallery_id: gallery, user_id: userId }))) === undefined)
      return;
    onClose();
    onDeleted();
  }
  return (
    <ConfirmDialog
      title={galleries.deletePersonTitle(name)}
      confirm={common.remove}
      disabled={call.busy}
      error={call.error}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{galleries.deletePersonText}</p>
    </ConfirmDialog>
  );
}
