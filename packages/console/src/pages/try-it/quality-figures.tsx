import type { DetectedFace } from '../../api/types.ts';
import { type dictionary, showNumber, words } from '../../i18n/words.ts';
import { Figure } from '../../ui/figure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { type FiguresProps, Group, looker } from './face-figures.tsx';

type Rule = NonNullable<DetectedFace['quality']>[number];

/** Each quality rule with its value, its limit and whether it is met. */
export function QualityFigures({ face, onLook }: FiguresProps) {
  const { figures, tryIt } = words.value;
  const rules = face.quality ?? [];
  if (rules.length === 0) return null;
  const missed = rules.filter(({ ok }) => !ok).length;
  const verdict = (
    <span class={missed === 0 ? 'tag good' : 'tag warn'}>
      <Icon name={missed === 0 ? 'good' : 'warn'} />
      {missed === 0 ? tryIt.qualityOk : tryIt.qualityBad(missed)}
    </span>
  );
  return (
    <Group title={figures.quality} aside={verdict}>
      {rules.map((rule) => (
        <Figure
          key={rule.rule}
          label={ruleWord(rule.rule, '') ?? rule.rule}
          value={<RuleValue rule={rule} />}
          why={[ruleWord(rule.rule, 'Why'), rule.reason].filter(Boolean).join(' ')}
          onLook={looker(onLook, rule.rule === 'pose' ? 'pose' : 'box')}
        />
      ))}
    </Group>
  );
}

function RuleValue({ rule }: { rule: Rule }) {
  const { figures } = words.value;
  return (
    <span class={rule.ok ? 'verdict good' : 'verdict bad'}>
      {measure(rule.value, rule.unit)}
      <span class="muted small">
        <Limit rule={rule} />
      </span>
      <Icon name={rule.ok ? 'good' : 'bad'} />
      <span class="unseen">{rule.ok ? figures.met : figures.notMet}</span>
    </span>
  );
}

/** Whether a limit is a floor or a ceiling is seen from the verdict. */
function Limit({ rule: { value, limit, unit, ok } }: { rule: Rule }) {
  const { figures } = words.value;
  const isFloor = ok ? value >= limit : value < limit;
  const shown = measure(limit, unit);
  return <>{isFloor ? figures.atLeast(shown) : figures.atMost(shown)}</>;
}

function measure(value: number, unit: string): string {
  const { figures } = words.value;
  if (unit === 'pixels') return `${showNumber(value)} ${figures.pixels}`;
  if (unit === 'degrees') return `${showNumber(value, 1)}${figures.degrees}`;
  return showNumber(value, 2);
}

function ruleWord(rule: string, suffix: '' | 'Why'): string | undefined {
  const key = `rule_${rule}${suffix}` as keyof (typeof dictionary)['figures']['en'];
  const word = words.value.figures[key];
  return typeof word === 'string' ? word : undefined;
}
