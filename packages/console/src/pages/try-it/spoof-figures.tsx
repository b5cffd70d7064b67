import { type dictionary, showNumber, words } from '../../i18n/words.ts';
import { Figure } from '../../ui/figure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { type FiguresProps, Group } from './face-figures.tsx';

/** Whether the face is taken for real, and what speaks for it. */
export function SpoofFigures({ face, spoofThreshold: limit }: FiguresProps) {
  const { figures, tryIt } = words.value;
  if (face.spoof_score === undefined) return null;
  const verdict = (
    <span class={face.is_spoof ? 'tag bad' : 'tag good'}>
      <Icon name={face.is_spoof ? 'bad' : 'good'} />
      {face.is_spoof ? tryIt.spoofed : tryIt.real}
    </span>
  );
  return (
    <Group title={figures.spoof} aside={verdict}>
      <Figure
        label={figures.spoofScore}
        value={<Score score={face.spoof_score} limit={limit} />}
        why={figures.spoofWhy}
        bar={{ share: face.spoof_score, limit, tone: face.is_spoof ? 'bad' : 'good' }}
      />
      {(face.spoof_cues ?? []).map(({ name, score }) => (
        <Figure
          key={name}
          label={cueName(name)}
          value={showNumber(score, 2)}
          why={figures.cueWhy}
          bar={{ share: score, limit: 0.5, tone: 'info' }}
        />
      ))}
    </Group>
  );
}

function Score({ score, limit }: { score: number; limit: number | undefined }) {
  const { figures } = words.value;
  return (
    <>
      {showNumber(score, 2)}
      {limit !== undefined && <span class="muted small"> {figures.limit(showNumber(limit, 2))}</span>}
    </>
  );
}

/** Cues may get new names; one without a word of ours is shown as it is. */
function cueName(name: string): string {
  const key = `cue_${name}` as keyof (typeof dictionary)['figures']['en'];
  const word = words.value.figures[key];
  return typeof word === 'string' ? word : name;
}
