import { useState } from 'preact/hooks';
import type { Picture } from '../../../draw/picture.ts';
import { messages } from '../../../i18n/messages.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import type { Taken } from './use-enrolment.ts';

interface Props {
  readonly picture: Picture;
  readonly taken: Taken | undefined;
}

/** A picture, with the face that was taken from it; large on request. */
export function TakenFace({ picture, taken }: Props) {
  const [large, setLarge] = useState(false);
  const { enrolment, common } = messages.value;
  return (
    <>
      <button
        type="button"
        class="taken"
        aria-label={enrolment.enlarge(picture.name)}
        onClick={() => setLarge(true)}
      >
        <MarkedPicture picture={picture} taken={taken} />
      </button>
      {large && (
        <Dialog title={picture.name} onClose={() => setLarge(false)}>
          <MarkedPicture picture={picture} taken={taken} />
          {taken && <p>{enrolment.taken(taken.found)}</p>}
          <div class="row end">
            <button type="button" class="button" onClick={() => setLarge(false)}>
              {common.close}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function MarkedPicture({ picture, taken }: Props) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const { enrolment } = messages.value;
  return (
    <span class="marked">
      <img
        src={picture.url}
        alt={taken ? enrolment.takenOf(picture.name) : picture.name}
        onLoad={({ currentTarget: image }) =>
          setSize({ width: image.naturalWidth, height: image.naturalHeight })
        }
      />
      {taken && size.width > 0 && (
        <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
          <rect {...taken.box} rx={taken.box.width * 0.04} />
        </svg>
      )}
    </span>
  );
}
