import type { LivenessEvents, StepResult } from '@wajah/capture';
import { formatNumber } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { CopyButton } from '../../ui/code.tsx';
import { Tag } from '../../ui/icon.tsx';
import { TokenEnrolment } from './token-enrolment.tsx';

export type Outcome =
  | { readonly kind: 'passed'; readonly detail: LivenessEvents['passed'] }
  | { readonly kind: 'failed'; readonly detail: LivenessEvents['failed'] };

/** The results of the steps; the element itself shows the verdict. */
export function LivenessResult({ outcome }: { outcome: Outcome }) {
  const { liveness, common } = messages.value;
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
                <Tag tone={result.match ? 'good' : 'bad'}>{result.match ? common.yes : common.no}</Tag>
              </td>
              <td data-label={liveness.detail}>{measurements(result)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {token !== undefined && <Token token={token} seconds={seconds} />}
    </section>
  );
}

/** The liveness token of a passed session, and a form that enrols with it. */
function Token({ token, seconds }: { token: string; seconds: number | undefined }) {
  const { liveness } = messages.value;
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
      <TokenEnrolment key={token} token={token} />
    </>
  );
}

const shownFields = [
  'yaw',
  'pitch',
  'roll',
  'left_eye',
  'right_eye',
  'mouth',
  'spoof_score',
  'similarity',
] as const;

/** @example measurements(result); // 'yaw 24.5 · pitch -3.4 · roll 1.2' */
function measurements(result: StepResult): string {
  return shownFields
    .filter((name) => result[name] !== undefined)
    .map((name) => {
      const value = result[name];
      return `${name} ${typeof value === 'number' ? formatNumber(value, name.endsWith('e') ? 2 : 1) : String(value)}`;
    })
    .join(' · ');
}
