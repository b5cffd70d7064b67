import type { Comparison } from '../api/types.ts';
import {
  impostorPairsPerMatch,
  measuredPairs,
  roundTo2Digits,
  type SimilarityWord,
  similarityWord,
} from '../draw/similarity-scale.ts';
import { formatNumber, formatSimilarity } from '../i18n/format.ts';
import { common, recognise } from '../i18n/messages.ts';
import { Notice } from './notice.tsx';

/** The false match rate of a similarity, short. @example fmrText(0.75); // 'FMR 1 in 10,000' */
export function fmrText(similarity: number): string {
  const count = impostorPairsPerMatch(similarity);
  if (count < 2) return recognise.fmrNearOne;
  if (count > measuredPairs) return recognise.fmrBetter(formatNumber(measuredPairs));
  return recognise.fmr(formatNumber(roundTo2Digits(count)));
}

/** @example fmrSentence(0.75); // 'False match rate 1 in 10,000: of 10,000 pairs of two people one reaches this score.' */
export function fmrSentence(similarity: number): string {
  const count = impostorPairsPerMatch(similarity);
  if (count < 2) return recognise.mostPairs;
  if (count > measuredPairs) return recognise.betterThan(formatNumber(measuredPairs));
  return recognise.oneIn(formatNumber(roundTo2Digits(count)));
}

/** The colour of a word, of a tag and a bar. */
const toneOf: Readonly<Record<SimilarityWord, 'good' | 'warn' | 'bad'>> = {
  same: 'good',
  probably: 'warn',
  unsure: 'warn',
  different: 'bad',
};

/** What a similarity score means at the threshold in force: a word, a bar, and the false match rate in details. */
export function SimilarityResult({ comparison }: { comparison: Omit<Comparison, 'verified'> }) {
  const { similarity, masker, threshold } = comparison;
  const word = similarityWord(similarity, threshold);
  return (
    <section class="card">
      <div class="row between">
        <h2>{recognise[word]}</h2>
        <p class="muted">
          {recognise.similarity} <strong class="numbers">{formatSimilarity(similarity)}</strong>
        </p>
      </div>
      <p>{recognise[`${word}Text`]}</p>
      <Scale similarity={similarity} word={word} threshold={threshold} />
      {masker && <Notice tone="warn">{recognise.masked}</Notice>}
      <details>
        <summary class="small">{recognise.rates}</summary>
        <div class="stack tight small">
          <Rate of={recognise.similarity} similarity={similarity} />
          <Rate of={common.threshold} similarity={threshold} />
          <p class="hint">{recognise.scaleText}</p>
        </div>
      </details>
    </section>
  );
}

/** The false match rate of a similarity, with what it is the similarity of. */
export function Rate(props: { of: string; similarity: number }) {
  return (
    <p>
      {props.of} <strong class="numbers">{formatSimilarity(props.similarity)}</strong>{' '}
      <span class="muted">{fmrSentence(props.similarity)}</span>
    </p>
  );
}

/** Hidden from screen readers, which read the text above. */
function Scale(props: { similarity: number; word: SimilarityWord; threshold: number }) {
  const at = (value: number) => ({ left: `${Math.min(1, Math.max(0, value)) * 100}%` });
  return (
    <div class="scale" aria-hidden="true">
      <div class="track">
        <span class={`fill ${toneOf[props.word]}`} style={{ width: `${props.similarity * 100}%` }} />
        <span class="threshold" style={at(props.threshold)}>
          <span class="word">{recognise.thresholdAt(formatSimilarity(props.threshold))}</span>
        </span>
        <span class="pointer" style={at(props.similarity)} />
      </div>
    </div>
  );
}
