import { formatNumber } from '../../../i18n/format.ts';
import { messageFor, messages } from '../../../i18n/messages.ts';
import { Figure } from '../../../ui/figure.tsx';
import { Tag } from '../../../ui/icon.tsx';
import { FigureGroup, type FiguresProps } from './figure-group.tsx';

/** The spoof score with its threshold and signals. */
export function SpoofFigures({ face, spoofThreshold: limit }: FiguresProps) {
  const { figures } = messages.value;
  if (face.spoof_score === undefined) return null;
  const verdict = <Tag tone={face.is_spoof ? 'bad' : 'good'}>{formatNumber(face.spoof_score, 2)}</Tag>;
  return (
    <FigureGroup name="spoof" title={figures.spoof} aside={verdict}>
      <Figure
        label={figures.spoofScore}
        value={<Score score={face.spoof_score} limit={limit} />}
        why={figures.spoofWhy}
        bar={{ share: face.spoof_score, limit, tone: face.is_spoof ? 'bad' : 'good' }}
      />
      {(face.spoof_cues ?? []).map(({ name, score }) => (
        <Figure
          key={name}
          label={messageFor('figures', `cue_${name}`) ?? name}
          value={formatNumber(score, 2)}
          why={[messageFor('figures', `cue_${name}Why`), figures.cueWhy].filter(Boolean).join(' ')}
          bar={{ share: score, limit: 0.5, tone: 'info' }}
        />
      ))}
    </FigureGroup>
  );
}

function Score({ score, limit }: { score: number; limit: number | undefined }) {
  const { figures } = messages.value;
  return (
    <>
      {formatNumber(score, 2)}
      {limit !== undefined && <span class="muted small"> {figures.limit(formatNumber(limit, 2))}</span>}
    </>
  );
}
