import type { Gallery, GalleryScores } from '../../../api/types.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';
import { belowText, falsePositiveText, rateText } from './meaning-text.ts';

/** False match rates of 1 in 100, 1,000, 10,000 and 100,000. */
const decades = [0.5, 0.625, 0.75, 0.875];

interface Props {
  readonly gallery: Gallery;
  readonly scores: GalleryScores | undefined;
}

/** The thresholds in force beside those of round false match rates. */
export function ThresholdTable({ gallery, scores }: Props) {
  const { thresholds } = messages.value;
  const { verify_threshold: verify, identify_threshold: identify, n_face: people } = gallery;
  const rows = [...new Set([...decades, verify, identify])].sort((a, b) => a - b);
  const cells = (threshold: number) =>
    [
      [thresholds.rate, rateText(threshold)],
      [thresholds.falsePositiveRate, falsePositiveText(threshold, people)],
      [thresholds.verifyBelow, belowText(scores?.verify, threshold)],
      [thresholds.identifyBelow, belowText(scores?.identify, threshold)],
    ] as const;
  return (
    <section class="card" aria-labelledby="threshold-table">
      <h2 id="threshold-table">{thresholds.table}</h2>
      <table class="stacked numbers">
        <thead>
          <tr>
            <th scope="col">{thresholds.threshold}</th>
            {cells(0).map(([name]) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((threshold) => (
            <tr key={threshold}>
              <th scope="row">
                {formatNumber(threshold, 4)}
                <span class="row">
                  {threshold === verify && <span class="tag good">{thresholds.inForceVerify}</span>}
                  {threshold === identify && <span class="tag good">{thresholds.inForceIdentify}</span>}
                </span>
              </th>
              {cells(threshold).map(([name, text]) => (
                <td key={name} data-label={name}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
