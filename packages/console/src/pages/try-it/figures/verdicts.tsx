import type { DetectedFace } from '../../../api/types.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { messageFor, messages } from '../../../i18n/messages.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { FiguresProps } from './figure-group.tsx';

interface Verdict {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly detail: string;
}

/** What the measurements of a face come to: can it be enrolled, is it alive, does it wear a mask. */
export function Verdicts({ face, spoofThreshold }: Pick<FiguresProps, 'face' | 'spoofThreshold'>) {
  const verdicts = [qualityVerdict(face), spoofVerdict(face, spoofThreshold), maskVerdict(face)];
  return (
    <ul class="verdicts" aria-label={messages.value.tryIt.verdicts}>
      {verdicts.map(
        (verdict) =>
          verdict && (
            <li key={verdict.title} class={verdict.tone}>
              <Icon name={verdict.tone} />
              <p>
                <strong>{verdict.title}</strong>
                <span class="muted small">{verdict.detail}</span>
              </p>
            </li>
          ),
      )}
    </ul>
  );
}

function qualityVerdict({ quality }: DetectedFace): Verdict | undefined {
  const { tryIt } = messages.value;
  if (quality === undefined) return undefined;
  const failed = quality.filter(({ ok }) => !ok);
  if (failed.length === 0) return { tone: 'good', title: tryIt.enrollable, detail: tryIt.qualityOk };
  const names = failed.map(({ rule }) => messageFor('figures', `rule_${rule}`) ?? rule).join(', ');
  return { tone: 'warn', title: tryIt.notEnrollable, detail: `${tryIt.qualityBad(failed.length)}: ${names}` };
}

function spoofVerdict(face: DetectedFace, threshold: number | undefined): Verdict | undefined {
  const { figures, tryIt } = messages.value;
  if (face.spoof_score === undefined) return undefined;
  const limit = threshold === undefined ? '' : `, ${figures.limit(formatNumber(threshold, 2))}`;
  const detail = `${figures.spoofScore} ${formatNumber(face.spoof_score, 2)}${limit}`;
  if (face.spoof_verdict === 'unclear') return { tone: 'warn', title: tryIt.unclear, detail };
  return face.is_spoof
    ? { tone: 'bad', title: tryIt.notAlive, detail }
    : { tone: 'good', title: tryIt.alive, detail };
}

function maskVerdict({ masker }: DetectedFace): Verdict | undefined {
  const { tryIt } = messages.value;
  if (masker === undefined) return undefined;
  return masker
    ? { tone: 'warn', title: tryIt.maskWorn, detail: tryIt.maskWornText }
    : { tone: 'good', title: tryIt.maskNotWorn, detail: tryIt.maskNotWornText };
}
