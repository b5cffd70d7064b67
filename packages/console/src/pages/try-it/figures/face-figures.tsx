import { formatNumber } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';
import { Figure } from '../../../ui/figure.tsx';
import { FigureGroup, type FiguresProps } from './figure-group.tsx';
import { QualityFigures } from './quality-figures.tsx';
import { SpoofFigures } from './spoof-figures.tsx';

/** All measurements of a face. */
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

function PoseFigures({ face, onHighlight }: FiguresProps) {
  const { figures } = messages.value;
  if (face.yaw === undefined) return null;
  const angles = ['yaw', 'pitch', 'roll'] as const;
  return (
    <FigureGroup name="pose" title={figures.pose}>
      {angles.map((angle) => (
        <Figure
          key={angle}
          label={figures[angle]}
          value={`${formatNumber(face[angle] ?? 0, 1)}${figures.degrees}`}
          why={figures[`${angle}Why`]}
          onHighlight={(on) => onHighlight(on ? 'pose' : undefined)}
        />
      ))}
      <p class="hint">{figures.axes}</p>
    </FigureGroup>
  );
}

function FeatureFigures({ face, onHighlight }: FiguresProps) {
  const { figures } = messages.value;
  const rows = [
    { label: figures.leftEye, state: face.left_eye, score: face.left_eye_score, why: figures.eyeWhy },
    { label: figures.rightEye, state: face.right_eye, score: face.right_eye_score, why: figures.eyeWhy },
    { label: figures.mouth, state: face.mouth, score: face.mouth_score, why: figures.mouthWhy },
  ];
  return (
    <FigureGroup name="eyes" title={figures.eyes}>
      {rows.map(
        ({ label, state, score, why }) =>
          state !== undefined && (
            <Figure
              key={label}
              label={label}
              value={`${figures[state]} ${formatNumber(score ?? 0, 2)}`}
              why={why}
              onHighlight={(on) => onHighlight(on ? 'features' : undefined)}
            />
          ),
      )}
      {face.masker !== undefined && (
        <Figure
          label={figures.mask}
          value={face.masker ? figures.worn : figures.notWorn}
          why={figures.maskWhy}
          onHighlight={(on) => onHighlight(on ? 'features' : undefined)}
        />
      )}
    </FigureGroup>
  );
}

function BoxFigures({ face, onHighlight }: FiguresProps) {
  const { figures } = messages.value;
  const { width, height } = face.box;
  return (
    <FigureGroup name="place" title={figures.place}>
      <Figure
        label={figures.box}
        value={`${Math.round(width)} × ${Math.round(height)} ${figures.pixels}`}
        why={figures.boxWhy}
        onHighlight={(on) => onHighlight(on ? 'box' : undefined)}
      />
      <Figure label={figures.score} value={formatNumber(face.score, 2)} why={figures.scoreWhy} />
    </FigureGroup>
  );
}
