import type { FaceBox } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import type { Picture } from '../../draw/picture.ts';
import { common, enrolment, people } from '../../i18n/messages.ts';
import { useLoad } from '../../state/request.ts';
import { Dialog, Opens } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon.tsx';
import { LoadState } from '../../ui/notice.tsx';
import { PictureView } from '../../ui/picture-view.tsx';

interface FaceCropProps {
  readonly gallery: string;
  readonly userId: string;
  readonly name: string;
  /** Default: the newest. */
  readonly pictureId?: string;
}

/** Shows the enrolled face on request: the server records each access in the audit trail. */
export function FaceCrop(props: FaceCropProps) {
  return (
    <Opens button={(open) => <IconButton icon="person" label={people.showFace(props.name)} onClick={open} />}>
      {(close) => <FaceDialog {...props} onClose={close} />}
    </Opens>
  );
}

/** The crop of a face, as it is kept. */
export function FaceDialog(props: FaceCropProps & { onClose: () => void }) {
  const { gallery, userId, name, pictureId, onClose } = props;
  const of = { facegallery_id: gallery, user_id: userId };
  const load = useLoad((signal) =>
    wajah.getFaceCrop({ ...of, ...(pictureId !== undefined && { picture_id: pictureId }) }, { signal }),
  );
  return (
    <Dialog title={name} dismiss={common.close} onClose={onClose}>
      <LoadState load={load}>
        {({ image }) => (
          <>
            <img class="face-picture" src={`data:image/jpeg;base64,${image}`} alt={name} />
            <p class="hint">{people.lookRecorded}</p>
          </>
        )}
      </LoadState>
    </Dialog>
  );
}

/** The face of a picture that was enrolled. */
export interface Taken {
  readonly box: FaceBox;
  /** Faces in the picture. */
  readonly found: number;
}

interface TakenFaceProps {
  readonly picture: Picture;
  readonly taken: Taken | undefined;
}

/** A picture, with the face that was taken from it; large on request. */
export function TakenFace({ picture, taken }: TakenFaceProps) {
  const marked = <MarkedPicture picture={picture} taken={taken} />;
  return (
    <Opens
      button={(open) => (
        <button type="button" class="bare taken" aria-label={enrolment.enlarge(picture.name)} onClick={open}>
          {marked}
        </button>
      )}
    >
      {(close) => (
        <Dialog title={picture.name} dismiss={common.close} onClose={close}>
          {marked}
          {taken && <p>{enrolment.taken(taken.found)}</p>}
        </Dialog>
      )}
    </Opens>
  );
}

function MarkedPicture({ picture, taken }: TakenFaceProps) {
  const alt = taken ? enrolment.takenOf(picture.name) : picture.name;
  return (
    <PictureView picture={picture} alt={alt}>
      {() => taken && <rect class="box" {...taken.box} rx={taken.box.width * 0.04} />}
    </PictureView>
  );
}
