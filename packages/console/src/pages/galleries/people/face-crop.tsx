import { useState } from 'preact/hooks';
import { wajah } from '../../../api/wajah.ts';
import { messages } from '../../../i18n/messages.ts';
import { useLoad } from '../../../state/use-request.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon, IconButton } from '../../../ui/icon.tsx';
import { ErrorNotice, Notice } from '../../../ui/notice.tsx';
import { Loading } from '../../../ui/states.tsx';

interface Props {
  readonly gallery: string;
  readonly userId: string;
  readonly name: string;
  /** With its text, not only an icon. */
  readonly text?: boolean;
}

/** Shows the enrolled face on request: the server records each access in the audit trail. */
export function FaceCrop(props: Props) {
  const [open, setOpen] = useState(false);
  const { people } = messages.value;
  return (
    <>
      {props.text ? (
        <button type="button" class="button" onClick={() => setOpen(true)}>
          <Icon name="person" />
          {people.showFaceShort}
        </button>
      ) : (
        <IconButton icon="person" label={people.showFace(props.name)} onClick={() => setOpen(true)} />
      )}
      {open && <FaceDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function FaceDialog({ gallery, userId, name, onClose }: Props & { onClose: () => void }) {
  const load = useLoad((signal) =>
    wajah.getFaceCrop({ facegallery_id: gallery, user_id: userId }, { signal }),
  );
  const { people, common } = messages.value;
  return (
    <Dialog title={name} onClose={onClose}>
      {load.busy && <Loading />}
      {load.error?.status === '403' && (
        <Notice>
          <p>{people.noCrop}</p>
          <p class="muted">{load.error.detail}</p>
        </Notice>
      )}
      {load.error && load.error.status !== '403' && <ErrorNotice error={load.error} onRetry={load.reload} />}
      {load.answer && (
        <>
          <img class="face-picture" src={`data:image/jpeg;base64,${load.answer.image}`} alt={name} />
          <p class="hint">{people.lookRecorded}</p>
        </>
      )}
      <div class="row end">
        <button type="button" class="button" onClick={onClose}>
          {common.close}
        </button>
      </div>
    </Dialog>
  );
}
