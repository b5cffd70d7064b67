import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { words } from '../../i18n/words.ts';
import { useLoad } from '../../state/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Waiting } from '../../ui/states.tsx';

interface Props {
  readonly gallery: string;
  readonly userId: string;
  readonly name: string;
}

/** Shows the face a person was enrolled with when it is asked for: each look is recorded by the server. */
export function FaceCrop(props: Props) {
  const [open, setOpen] = useState(false);
  const { galleries } = words.value;
  return (
    <>
      <button
        type="button"
        class="button plain icon"
        aria-label={galleries.showFace(props.name)}
        title={galleries.showFace(props.name)}
        onClick={() => setOpen(true)}
      >
        <Icon name="person" />
      </button>
      {open && <Look {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function Look({ gallery, userId, name, onClose }: Props & { onClose: () => void }) {
  const load = useLoad((signal) =>
    wajah.getFaceCrop({ facegallery_id: gallery, user_id: userId }, { signal }),
  );
  const { galleries, common } = words.value;
  return (
    <Dialog title={name} onClose={onClose}>
      {load.busy && <Waiting />}
      {load.error?.status === '403' && (
        <Notice>
          <p>{galleries.noCrop}</p>
          <p class="muted">{load.error.detail}</p>
        </Notice>
      )}
      {load.error && load.error.status !== '403' && <ErrorNotice error={load.error} onRetry={load.reload} />}
      {load.answer && (
        <>
          <img class="face-picture" src={`data:image/jpeg;base64,${load.answer.image}`} alt={name} />
          <p class="hint">{galleries.lookRecorded}</p>
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
