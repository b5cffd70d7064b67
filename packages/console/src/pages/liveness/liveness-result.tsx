import type { StepResult } from '@wajah/capture';
import { showNumber, words } from '../../i18n/words.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Outcome } from './liveness-page.tsx';
import { ProofEnrolment } from './proof-enrolment.tsx';

/** What the server judged, step by step; the element itself tells the verdict. */
export function LivenessResult({ outcome }: { outcome: Outcome }) {
  const { liveness, common } = words.value;
  const results = outcome.detail.results ?? [];
  const token = outcome.kind === 'passed' ? outcome.detail.liveness_token : undefined;
  const seconds = outcome.kind === 'passed' ? outcome.detail.expires_in : undefined;
  if (results.length === 0) return null;
  return (
    <section class="card">
      <h2>{liveness.result}</h2>
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">{liveness.step}</th>
            <th scope="col">{liveness.verdict}</th>
            <th scope="col">{liveness.detail}</th>
          </tr>
        </thead>
        <tbody>
          {results.map((result, index) => (
            <tr key={index}>
              <th scope="row">{result.step}</th>
              <td data-label={liveness.verdict}>
                <span class={result.match ? 'tag good' : 'tag bad'}>
                  <Icon name={result.match ? 'good' : 'bad'} />
                  {result.match ? common.yes : common.no}
                </span>
              </td>
              <td data-label={liveness.detail}>{measured(result)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {token !== undefined && <Proof token={token} seconds={seconds} />}
    </section>
  );
}

/** What a passed session is worth, and the use that this page can make of it. */
function Proof({ token, seconds }: { token: string; seconds: number | undefined }) {
  const { liveness } = words.value;
  return (
    <>
      <div class="stack tight">
        <h3>{liveness.token}</h3>
        <p class="hint">
          {liveness.tokenText} {seconds !== undefined && liveness.expires(seconds)}
        </p>
        <div class="row">
          <code class="clip grow">{token}</code>
          <CopyButton text={token} />
        </div>
      </div>
      <ProofEnrolment key={token} token={token} />
    </>
  );
}

const told = ['yaw', 'pitch', 'roll', 'left_eye', 'right_eye', 'mouth', 'spoof_score', 'similarity'] as const;

/** @example measured(result); // 'yaw 24.5 · pitch -3.4 · roll 1.2' */
function measured(result: StepResult): string {
  return told
    .filter((name) => result[name] !== undefined)
    .map((name) => {
      const value = result[name];
      return `${name} ${typeof value === 'number' ? showNumber(value, name.endsWith('e') ? 2 : 1) : String(value)}`;
    })
    .join(' · ');
}
