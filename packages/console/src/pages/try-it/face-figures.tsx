import type { ComponentChildren } from 'preact';
import type { DetectedFace } from '../../api/types.ts';
import { showNumber, words } from '../../i18n/words.ts';
import { Figure } from '../../ui/figure.tsx';
import type { Layer } from './face-overlay.tsx';
import { QualityFigures } from './quality-figures.tsx';
import { SpoofFigures } from './spoof-figures.tsx';

export interface FiguresProps {
  readonly face: DetectedFace;
  /** Spoof score at or above which a face is taken for a spoof. */
  readonly spoofThreshold: number | undefined;
  readonly onLook: (layer: Layer | undefined) => void;
}

/** Everything that was measured on a face. */
export function FaceFigures(props: FiguresProps) {
  return (
    <div class="figures">
      <SpoofFigures {...props} />
      <QualityFigures {...props} />
      <PoseFigures {...props} />
      <FeatureFigures {...props} />
      <BoxFigures {...props} />
    </div>
  );
}

/** Figures that belong together. */
export function Group(props: { title: string; aside?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="group">
      <div class="row between">
        <h3>{props.title}</h3>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}

/** For `onLook` of a figure that is drawn in a layer. */
export function looker(onLook: FiguresProps['onLook'], layer: Layer) {
  return (looking: boolean) => onLook(looking ? layer : undefined);
}

function PoseFigures({ face, onLook }: FiguresProps) {
  const { figures } = words.value;
  if (face.yaw === undefined) return null;
  const angles = ['yaw', 'pitch', 'roll'] as const;
  return (
    <Group title={figures.pose}>
      {angles.map((angle) => (
        <Figure
          key={angle}
          label={figures[angle]}
          value={`${showNumber(face[angle] ?? 0, 1)}${figures.degrees}`}
          why={figures[`${angle}Why`]}
          onLook={looker(onLook, 'pose')}
        />
      ))}
      <p class="hint">{figures.axes}</p>
    </Group>
  );
}

function FeatureFigures({ face, onLook }: FiguresProps) {
  const { figures } = words.value;
  const rows = [
    { label: figures.leftEye, state: face.left_eye, score: face.left_eye_score, why: figures.eyeWhy },
    { label: figures.rightEye, state: face.right_eye, score: face.right_eye_score, why: figures.eyeWhy },
    { label: figures.mouth, state: face.mouth, score: face.mouth_score, why: figures.mouthWhy },
  ];
  return (
    <Group title={figures.eyes}>
      {rows.map(
        ({ label, state, score, why }) =>
          state !== undefined && (
            <Figure
              key={label}
              label={label}
              value={`${figures[state]} ${showNumber(score ?? 0, 2)}`}
              why={why}
              onLook={looker(onLook, 'features')}
            />
          ),
      )}
      {face.masker !== undefined && (
        <Figure
          label={figures.mask}
          value={face.masker ? figures.worn : figures.notWorn}
          why={figures.maskWhy}
          onLook={looker(onLook, 'features')}
        />
      )}
    </Group>
  );
}

function BoxFigures({ face, onLook }: FiguresProps) {
  const { figures } = words.value;
  const { width, height } = face.box;
  return (
    <Group title={figures.place}>
      <Figure
        label={figures.box}
        value={`${Math.round(width)} × ${Math.round(height)} ${figures.pixels}`}
        why={figures.boxWhy}
        onLook={looker(onLook, 'box')}
      />
      <Figure label={figures.score} value={showNumber(face.score, 2)} why={figures.scoreWhy} />
    </Group>
  );
}
