import '../../styles/charts.css';
import { useState } from 'preact/hooks';
import { commandText } from '../../api/program.ts';
import type { Gallery, GalleryScores } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { impostorPairsPerMatch, measuredPairs, roundTo2Digits } from '../../draw/similarity-scale.ts';
import { formatNumber, formatPercent, formatSimilarity } from '../../i18n/format.ts';
import { common, galleries, thresholds } from '../../i18n/messages.ts';
import { useLoad } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { session } from '../../state/session.ts';
import { shellWord } from '../../ui/call-text.ts';
import { Card, Facts, StackedTable } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/code.tsx';
import { InputField } from '../../ui/field.tsx';
import { Tag } from '../../ui/icon.tsx';
import { LoadState } from '../../ui/notice.tsx';
import { binWidth, probesBelow } from './refused-share.ts';

/** What thresholds of a gallery mean: for people who are not enrolled by its calibration, for its own people by what its probes reached. */
export function Thresholds({ gallery }: { gallery: Gallery }) {
  const [threshold, setThreshold] = useState(Math.round(gallery.verify_threshold / binWidth) * binWidth);
  const load = useLoad((signal) =>
    wajah.getGalleryScores({ facegallery_id: gallery.facegallery_id }, { signal }),
  );
  return (
    <div class="stack wide">
      <div class="columns">
        <ThresholdMeaning
          gallery={gallery}
          scores={load.answer}
          threshold={threshold}
          onChange={setThreshold}
        />
        <Calibration gallery={gallery} />
      </div>
      <LoadState load={load}>
        {(scores) => <ThresholdChart scores={scores} threshold={threshold} />}
      </LoadState>
      <ThresholdTable gallery={gallery} scores={load.answer} />
    </div>
  );
}

/** Days that the server counts by default. */
const days = 30;

/** What a threshold means, each with a text of a threshold and what it counts. */
function meaningsOf({ n_face: people }: Gallery, scores: GalleryScores | undefined) {
  const why = thresholds.belowWhy(String(days));
  return [
    [thresholds.rate, rateText, thresholds.rateWhy(formatNumber(measuredPairs))],
    [
      thresholds.falsePositiveRate,
      (threshold: number) => falsePositiveText(threshold, people),
      thresholds.falsePositiveRateWhy(formatNumber(people)),
    ],
    [thresholds.verifyBelow, (threshold: number) => belowText(scores?.verify, threshold), why],
    [thresholds.identifyBelow, (threshold: number) => belowText(scores?.identify, threshold), why],
  ] as const;
}

interface ScoresProps {
  readonly gallery: Gallery;
  readonly scores: GalleryScores | undefined;
}

/** A threshold to move, with what it means for people who are not enrolled and for the gallery's own people. */
function ThresholdMeaning({
  gallery,
  scores,
  threshold,
  onChange,
}: ScoresProps & { threshold: number; onChange: (threshold: number) => void }) {
  return (
    <Card title={thresholds.title} hint={thresholds.lead}>
      <InputField
        label={`${thresholds.move}: ${formatSimilarity(threshold)}`}
        type="range"
        min={0.25}
        max={1}
        step={binWidth}
        value={threshold}
        aria-valuetext={`${formatSimilarity(threshold)}, ${rateText(threshold)}`}
        onInput={(value) => onChange(Number(value))}
      />
      <dl class="meanings">
        {meaningsOf(gallery, scores).map(([name, textOf, why]) => (
          <div key={name}>
            <dt class="hint">{name}</dt>
            <dd class="large numbers">{textOf(threshold)}</dd>
            <dd class="hint">{why}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a href={hrefOf('galleries', gallery.facegallery_id, 'settings')}>{thresholds.use}</a>
      </p>
    </Card>
  );
}

/** Thresholds at false match rates of 1 in 100, 1,000, 10,000 and 100,000. */
const decades = [0.5, 0.625, 0.75, 0.875];

/** Units of the drawing for a bin, and for the highest one. */
const step = 10;
const height = 160;

/** The counted similarities as bars, with the threshold. The table has the numbers for screen readers. */
function ThresholdChart({ scores, threshold }: { scores: GalleryScores; threshold: number }) {
  const counts = scores.verify.map((count, bin) => count + (scores.identify[bin] ?? 0));
  const most = Math.max(...counts);
  if (most === 0) return null;
  const width = counts.length * step;
  const line = threshold * width;
  return (
    <Card title={thresholds.chartTitle}>
      <svg
        class="histogram"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={thresholds.chart}
      >
        {counts.map((count, bin) => {
          const size = count === 0 ? 0 : Math.max(3, (count / most) * (height - 10));
          const side = (bin + 0.5) * step < line ? 'warn' : 'good';
          return (
            <rect
              key={bin}
              class={side}
              x={bin * step + 1}
              y={height - size}
              width={step - 2}
              height={size}
            />
          );
        })}
        <line x1={line} x2={line} y1={0} y2={height} />
      </svg>
      <div class="ticks numbers" aria-hidden="true">
        {decades.map((at) => (
          <span key={at} style={{ left: `${at * 100}%` }}>
            {formatSimilarity(at)}
          </span>
        ))}
      </div>
      <ul class="row legend" aria-hidden="true">
        <li class="row">
          <span class="swatch warn" />
          {thresholds.below}
        </li>
        <li class="row">
          <span class="swatch good" />
          {thresholds.above}
        </li>
      </ul>
      <p class="hint">{thresholds.chartHint}</p>
    </Card>
  );
}

/** The thresholds in force beside those of round false match rates. */
function ThresholdTable({ gallery, scores }: ScoresProps) {
  const { verify_threshold: verify, identify_threshold: identify } = gallery;
  const shown = (threshold: number) => (
    <>
      {formatSimilarity(threshold)}
      <span class="row">
        {threshold === verify && <span class="tag good">{thresholds.inForceVerify}</span>}
        {threshold === identify && <span class="tag good">{thresholds.inForceIdentify}</span>}
      </span>
    </>
  );
  const meanings = meaningsOf(gallery, scores).map(([name, textOf]) => [name, textOf] as const);
  return (
    <Card title={thresholds.table}>
      <StackedTable
        look="numbers"
        columns={[[common.threshold, shown], ...meanings]}
        rows={[...new Set([...decades, verify, identify])].sort((a, b) => a - b)}
        keyOf={String}
      />
      <p class="hint">{thresholds.identifyRises}</p>
    </Card>
  );
}

/** Where the similarities of a gallery come from, and how sure they are. */
function Calibration({ gallery }: { gallery: Gallery }) {
  const { provisional, calibrated_by: by, calibration_pairs: fitted, n_face: people } = gallery;
  const named = `--client ${shellWord(session.value?.clientId ?? '')} --gallery ${shellWord(gallery.facegallery_id)}`;
  const command = commandText(`calibrate ${named} --install ${provisional ? 'server' : 'gallery'}`);
  const possible = (people * (people - 1)) / 2;
  return (
    <Card
      title={thresholds.calibration}
      aside={
        <Tag tone={provisional ? 'warn' : 'good'}>
          {provisional ? thresholds.provisional : thresholds.measured}
        </Tag>
      }
    >
      <Facts
        of={[
          [galleries.pack, gallery.pack ?? common.none],
          [thresholds.curve, by === 'gallery' ? thresholds.curveOwn : thresholds.curveServer],
          [
            thresholds.pairs,
            formatNumber(fitted ?? possible),
            fitted === null ? thresholds.pairsPossible : thresholds.pairsFitted,
          ],
          [thresholds.normalised, normalisedBy(gallery)],
        ]}
      />
      <p class="hint">{provisional ? thresholds.provisionalText : thresholds.ownText}</p>
      <pre class="code wrap">{command}</pre>
      <div class="row">
        <CopyButton text={command} />
      </div>
    </Card>
  );
}

function normalisedBy({ cohort_mode: mode, cohort_people: people }: Gallery): string {
  if (mode === 'off') return thresholds.normalisedOff;
  return people === 0 ? thresholds.normalisedFew : thresholds.normalisedBy(formatNumber(people));
}

/** @example rateText(0.75); // '1 in 10,000' */
function rateText(threshold: number): string {
  return falsePositiveText(threshold, 1);
}

/**
 * The share of people who are not enrolled that match somebody among so many people (FPIR). No claim goes beyond the
 * false match rates that were measured.
 * @example falsePositiveText(0.75, 100); // '1 in 100'
 */
function falsePositiveText(threshold: number, people: number): string {
  const pairs = impostorPairsPerMatch(threshold);
  const count = Math.min(pairs, measuredPairs) / Math.max(1, people);
  const text = formatNumber(roundTo2Digits(count));
  if (pairs > measuredPairs) return count < 2 ? thresholds.notMeasured : thresholds.betterThan(text);
  return count < 2 ? thresholds.nearlyAll : thresholds.oneIn(text);
}

/** Calls below which a share says nothing. */
const leastCalls = 100;

/** @example belowText(bins, 0.75); // '12 of 480 (2.5 %)' */
function belowText(bins: readonly number[] | undefined, threshold: number): string {
  if (!bins) return '…';
  const { below, all } = probesBelow(bins, threshold);
  if (all === 0) return thresholds.noCalls;
  if (all < leastCalls) return thresholds.fewCalls(formatNumber(all), formatNumber(leastCalls));
  const share = below / all;
  return thresholds.countOf(
    formatNumber(below),
    formatNumber(all),
    formatPercent(share, share < 0.1 && share > 0 ? 1 : 0),
  );
}
