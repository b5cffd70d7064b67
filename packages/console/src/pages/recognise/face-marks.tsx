import { useState } from 'preact/hooks';
import type { Picture } from '../../draw/picture.ts';
import { messages } from '../../i18n/messages.ts';
import { identifiedAt, type SearchedFace } from './recognition.ts';

/** Pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

interface Props {
  readonly picture: Picture;
  readonly faces: readonly SearchedFace[];
  readonly threshold: number;
  readonly chosen: number;
  readonly onChoose: (face: number) => void;
}

/** The picture with a box, a number and a name at each face. */
export function FaceMarks({ picture, faces, threshold, chosen, onChoose }: Props) {
  const [size, setSize] = useState<Size>();
  const { tryIt } = messages.value;
  return (
    <figure class="canvas">
      <img
        src={picture.url}
        alt={tryIt.pictureOf(picture.name, faces.length)}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          setSize({ width, height })
        }
      />
      {size && (
        <svg class="overlay named" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
          {faces.map((face, index) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the cards beside the picture have the same
            <g key={index} class={index === chosen ? 'face chosen' : 'face'} onClick={() => onChoose(index)}>
              <rect
                class={identifiedAt(face, threshold) ? 'box' : 'box unknown'}
                {...face.box}
                rx={face.box.width * 0.03}
              />
              <Label
                face={face}
                number={index + 1}
                name={identifiedAt(face, threshold)?.user_name}
                picture={size}
              />
            </g>
          ))}
        </svg>
      )}
    </figure>
  );
}

/** Number and name above the box; below it where there is no room. */
function Label(props: { face: SearchedFace; number: number; name: string | undefined; picture: Size }) {
  const { box } = props.face;
  const size = Math.max(box.width * 0.13, props.picture.width * 0.022);
  const y = box.y > size * 1.4 ? box.y - size * 0.4 : box.y + box.height + size * 1.1;
  return (
    <text class={props.name === undefined ? 'unknown' : ''} x={box.x} y={y} font-size={size}>
      {props.number}
      {props.name !== undefined && ` ${props.name}`}
    </text>
  );
}

/** The face of a box, cut out of the picture with some room around it. */
export function FaceThumbnail({ picture, box }: { picture: Picture; box: SearchedFace['box'] }) {
  const side = Math.max(box.width, box.height) * 1.5;
  const left = box.x + box.width / 2 - side / 2;
  const top = box.y + box.height / 2 - side * 0.56;
  const [size, setSize] = useState<Size>();
  return (
    <span class="crop thumbnail" aria-hidden="true">
      <img
        src={picture.url}
        alt=""
        style={
          size && {
            width: `${(size.width / side) * 100}%`,
            left: `${(-left / side) * 100}%`,
            top: `${(-top / side) * 100}%`,
          }
        }
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          setSize({ width, height })
        }
      />
    </span>
  );
}
