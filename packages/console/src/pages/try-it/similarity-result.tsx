import type { Comparison } from '../../api/types.ts';
import { rarest, roundly, scaleMarks, strangersPerMatch } from '../../draw/similarity-scale.ts';
import { showNumber, showShort, words } from '../../i18n/words.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';

/** The similarity, in words and on its scale. */
export function SimilarityResult(props: { comparison: Comparison }) {
  const { similarity, verified, masker, threshold } = props.comparison;
  const { tryIt } = words.value;
  return (
    <section class="card">
      <div class="row between">
        <h2>
          {tryIt.similarity} <span class="numbers">{showNumber(similarity, 3)}</span>
        </h2>
        <span class={verified ? 'tag good' : 'tag warn'}>
          <Icon name={verified ? 'good' : 'bad'} />
          {verified ? tryIt.same : tryIt.different}
        </span>
      </div>
      <p>{rarity(similarity)}</p>
      <Scale similarity={similarity} verified={verified} threshold={threshold} />
      {masker && <Notice tone="warn">{tryIt.masked}</Notice>}
      <p class="hint">{tryIt.scaleText}</p>
    </section>
  );
}

/** @example rarity(0.75); // '1 stranger in 10,000 would score this high.' */
function rarity(similarity: number): string {
  const { tryIt } = words.value;
  const count = strangersPerMatch(similarity);
  if (count < 2) return tryIt.everyStranger;
  if (count >= rarest) return tryIt.atMostOneIn(showNumber(rarest));
  return tryIt.oneIn(showNumber(roundly(count)));
}

/** Only for the eye: the sentence above says the same. */
function Scale(props: { similarity: number; verified: boolean; threshold: number }) {
  const { tryIt } = words.value;
  const at = (value: number) => ({ left: `${Math.min(1, Math.max(0, value)) * 100}%` });
  return (
    <div class="scale" aria-hidden="true">
      <div class="track">
        <span
          class={props.verified ? 'fill good' : 'fill warn'}
          style={{ width: `${props.similarity * 100}%` }}
        />
        {scaleMarks.map((mark) => (
          <span key={mark.at} class="tick" style={at(mark.at)} />
        ))}
        <span class="threshold" style={at(props.threshold)}>
          <span class="word">{tryIt.threshold(showNumber(props.threshold, 3))}</span>
        </span>
        <span class="pointer" style={at(props.similarity)} />
      </div>
      <div class="marks numbers">
        {scaleMarks.map((mark) => (
          <span key={mark.at} style={at(mark.at)}>
            {showShort(mark.oneIn)}
          </span>
        ))}
      </div>
      <p class="hint">{tryIt.scaleTicks}</p>
    </div>
  );
}
