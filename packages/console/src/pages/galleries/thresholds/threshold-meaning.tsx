import type { Gallery, GalleryScores } from '../../../api/types.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';
import { hrefOf } from '../../../state/route.ts';
import { Field } from '../../../ui/field.tsx';
import { belowText, falsePositiveText, rateText } from './meaning-text.ts';
import { binWidth } from './refused-share.ts';

/** Days that the server counts by default. */
const days = 30;

interface Props {
  readonly gallery: Gallery;
  readonly scores: GalleryScores | undefined;
  readonly threshold: number;
  readonly onChange: (threshold: number) => void;
}

/** A threshold to move, with what it means for people who are not enrolled and for the gallery's own people. */
export function ThresholdMeaning({ gallery, scores, threshold, onChange }: Props) {
  const { thresholds } = messages.value;
  const people = gallery.n_face;
  const meanings = [
    [thresholds.rate, rateText(threshold), thresholds.rateWhy],
    [
      thresholds.falsePositiveRate,
      falsePositiveText(threshold, people),
      thresholds.falsePositiveRateWhy(formatNumber(people)),
    ],
    [thresholds.verifyBelow, belowText(scores?.verify, threshold), thresholds.belowWhy(String(days))],
    [thresholds.identifyBelow, belowText(scores?.identify, threshold), thresholds.belowWhy(String(days))],
  ] as const;
  return (
    <section class="card" aria-labelledby="meaning">
      <h2 id="meaning">{thresholds.title}</h2>
      <p class="hint">{thresholds.lead}</p>
      <Field
        label={`${thresholds.move}: ${formatNumber(threshold, 4)}`}
        control={(ids) => (
          <input
            {...ids}
            type="range"
            min={0.25}
            max={1}
            step={binWidth}
            value={threshold}
            aria-valuetext={`${formatNumber(threshold, 4)}, ${rateText(threshold)}`}
            onInput={(event) => onChange(Number(event.currentTarget.value))}
          />
        )}
      />
      <dl class="meanings">
        {meanings.map(([name, value, why]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="numbers">{value}</dd>
            <dd class="hint">{why}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a href={hrefOf('galleries', gallery.facegallery_id, 'settings')}>{thresholds.use}</a>
      </p>
    </section>
  );
}
