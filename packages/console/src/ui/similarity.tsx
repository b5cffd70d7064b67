import type { Comparison } from '../api/types.ts';
import { impostorPairsPerMatch, maxPairs, roundTo2Digits, scaleTicks } from '../draw/similarity-scale.ts';
import { formatCompact, formatNumber } from '../i18n/format.ts';
import { recognise, tryIt } from '../i18n/messages.ts';
import { Tag } from './icon.tsx';
import { Notice } from './notice.tsx';

/** The false match rate of a similarity, short. @example fmrText(0.75); // 'FMR 1 in 10,000' */
export function fmrText(similarity: number): string {
  const count = impostorPairsPerMatch(similarity);
  if (count < 2) return recognise.fmrNearOne;
  if (count >= maxPairs) return recognise.fmrBelow(formatNumber(maxPairs));
  return recognise.fmr(formatNumber(roundTo2Digits(count)));
}

/** The similarity score with its FMR, on the scale. */
export function SimilarityResult(props: { comparison: Comparison }) {
  const { similarity, verified, masker, threshold } = props.comparison;
  return (
    <section class="card">
      <div class="row between">
        <h2>
          {tryIt.similarity} <span class="numbers">{formatNumber(similarity, 3)}</span>
        </h2>
        <Tag tone={verified ? 'good' : 'warn'}>{verified ? tryIt.same : tryIt.different}</Tag>
      </div>
      <p>{fmrSentence(similarity)}</p>
      <Scale similarity={similarity} verified={verified} threshold={threshold} />
      {masker && <Notice tone="warn">{tryIt.masked}</Notice>}
      <p class="hint">{tryIt.scaleText}</p>
    </section>
  );
}

/** @example fmrSentence(0.75); // 'FMR 1 in 10,000: one of 10,000 impostor pairs reaches this score.' */
function fmrSentence(similarity: number): string {
  const count = impostorPairsPerMatch(similarity);
  if (count < 2) return tryIt.mostPairs;
  if (count >= maxPairs) return tryIt.atMostOneIn(formatNumber(maxPairs));
  return tryIt.oneIn(formatNumber(roundTo2Digits(count)));
}

/** Hidden from screen readers, which read the text above. */
function Scale(props: { similarity: number; verified: boolean; threshold: number }) {
  const at = (value: number) => ({ left: `${Math.min(1, Math.max(0, value)) * 100}%` });
  return (
    <div class="scale" aria-hidden="true">
      <div class="track">
        <span
          class={props.verified ? 'fill good' : 'fill warn'}
          style={{ width: `${props.similarity * 100}%` }}
        />
        {scaleTicks.map((mark) => (
          <span key={mark.at} class="tick" style={at(mark.at)} />
        ))}
        <span class="threshold" style={at(props.threshold)}>
          <span class="word">{tryIt.threshold(formatNumber(props.threshold, 3))}</span>
        </span>
        <span class="pointer" style={at(props.similarity)} />
      </div>
      <div class="marks numbers">
        {scaleTicks.map((mark) => (
          <span key={mark.at} style={at(mark.at)}>
            {formatCompact(mark.oneIn)}
          </span>
        ))}
      </div>
      <p class="hint">{tryIt.scaleTicks}</p>
    </div>
  );
}
