import type { DetectedFace, Detection } from '../../api/types.ts';
import { contours, dotsOf, type MeshPoint, noseOf, outlineOf, poseAxes } from '../../draw/face.ts';

export const layers = ['box', 'mesh', 'pose', 'features'] as const;
export type Layer = (typeof layers)[number];

interface Props {
  readonly detection: Detection;
  readonly shown: ReadonlySet<Layer>;
  readonly chosen: number;
  /** The layer of the measurement under the pointer. */
  readonly highlighted: Layer | undefined;
  readonly onChoose: (face: number) => void;
}

/** The detected faces, drawn over the picture. */
export function FaceMarks({ detection, shown, chosen, highlighted, onChoose }: Props) {
  const { image, faces } = detection;
  return (
    <>
      {faces.map((face, index) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the list of faces is the keyboard's alternative
        <g
          key={index}
          class={index === chosen ? 'face chosen' : 'face'}
          data-highlight={highlighted}
          onClick={() => onChoose(index)}
        >
          <Marks face={face} shown={shown} />
          {faces.length > 1 && <FaceNumber face={face} number={index + 1} pictureWidth={image.width} />}
        </g>
      ))}
    </>
  );
}

function Marks({ face, shown }: { face: DetectedFace; shown: ReadonlySet<Layer> }) {
  const mesh = Array.isArray(face.landmarks) ? (face.landmarks as readonly MeshPoint[]) : [];
  const { box } = face;
  return (
    <>
      {shown.has('mesh') && (
        <>
          <path class="dots" data-layer="mesh" d={dotsOf(mesh)} />
          <path class="outline" data-layer="mesh" d={outlineOf(mesh, contours.oval)} />
        </>
      )}
      {shown.has('features') && <Features face={face} mesh={mesh} />}
      <rect
        class={face.is_spoof ? 'box spoof' : 'box'}
        data-layer="box"
        {...box}
        rx={Math.min(box.width, box.height) * 0.03}
        visibility={shown.has('box') ? 'visible' : 'hidden'}
      />
      {shown.has('pose') && <PoseMarks face={face} mesh={mesh} />}
    </>
  );
}

/** The number of a face at the upper left of its box, readable in small faces too. Not a part of a layer. */
function FaceNumber(props: { face: DetectedFace; number: number; pictureWidth: number }) {
  const { box } = props.face;
  const size = Math.max(box.width * 0.16, props.pictureWidth * 0.025);
  return (
    <text x={box.x} y={Math.max(size, box.y - size * 0.3)} font-size={size}>
      {props.number}
    </text>
  );
}

function Features({ face, mesh }: { face: DetectedFace; mesh: readonly MeshPoint[] }) {
  const mouth = face.mouth === 'masked' ? 'masked' : '';
  const lines = [
    ['leftEye', face.left_eye ?? ''],
    ['rightEye', face.right_eye ?? ''],
    ['lips', mouth],
    ['innerLips', mouth],
  ] as const;
  return (
    <>
      {lines.map(([name, state]) => (
        <path
          key={name}
          class={`feature ${state}`}
          data-layer="features"
          d={outlineOf(mesh, contours[name])}
        />
      ))}
    </>
  );
}

/** Three axes from the tip of the nose: forward, to the person's left, and up. */
function PoseMarks({ face, mesh }: { face: DetectedFace; mesh: readonly MeshPoint[] }) {
  const { yaw, pitch, roll, box } = face;
  if (yaw === undefined || pitch === undefined || roll === undefined) return null;
  const from = noseOf(mesh) ?? { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const axes = poseAxes({ yaw, pitch, roll });
  // Foreshortened, as it points at the viewer.
  const length = { left: box.width * 0.42, up: box.width * 0.42, forward: box.width * 0.85 };
  return (
    <>
      {(['left', 'up', 'forward'] as const).map((axis) => (
        <line
          key={axis}
          class={`axis ${axis}`}
          data-layer="pose"
          x1={from.x}
          y1={from.y}
          x2={from.x + axes[axis][0] * length[axis]}
          y2={from.y + axes[axis][1] * length[axis]}
        />
      ))}
    </>
  );
}
