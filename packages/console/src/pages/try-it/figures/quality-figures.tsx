import type { DetectedFace } from '../../../api/types.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { messageFor, messages } from '../../../i18n/messages.ts';
import { Figure } from '../../../ui/figure.tsx';
import { Icon, Tag } from '../../../ui/icon.tsx';
import { FigureGroup, type FiguresProps } from './figure-group.tsx';

type Rule = NonNullable<DetectedFace['quality']>[number];

/** Each quality rule with its value, its limit and its verdict. */
export function QualityFigures({ face, onHighlight }: FiguresProps) {
  const { figures, tryIt } = messages.value;
  const rules = face.quality ?? [];
  if (rules.length === 0) return null;
  const failed = rules.filter(({ ok }) => !ok).length;
  const verdict = (
    <Tag tone={failed === 0 ? 'good' : 'warn'}>
      {failed === 0 ? tryIt.qualityOk : tryIt.qualityBad(failed)}
    </Tag>
  );
  return (
    <FigureGroup name="quality" title={figures.quality} aside={verdict}>
      {rules.map((rule) => (
        <Figure
          key={rule.rule}
          label={messageFor('figures', `rule_${rule.rule}`) ?? rule.rule}
          value={<RuleValue rule={rule} />}
          why={[messageFor('figures', `rule_${rule.rule}Why`), rule.reason].filter(Boolean).join(' ')}
          onHighlight={(on) => onHighlight(on ? layerOf(rule) : undefined)}
        />
      ))}
    </FigureGroup>
  );
}

function RuleValue({ rule }: { rule: Rule }) {
  const { figures } = messages.value;
  return (
    <span class={rule.ok ? 'verdict good' : 'verdict bad'}>
      {withUnit(rule.value, rule.unit)}
      <span class="muted small">
        <Limit rule={rule} />
      </span>
      <Icon name={rule.ok ? 'good' : 'bad'} />
      <span class="visually-hidden">{rule.ok ? figures.met : figures.notMet}</span>
    </span>
  );
}

/** The verdict shows whether the limit is a minimum or a maximum. */
function Limit({ rule: { value, limit, unit, ok } }: { rule: Rule }) {
  const { figures } = messages.value;
  const isMinimum = ok ? value >= limit : value < limit;
  const shown = withUnit(limit, unit);
  return <>{isMinimum ? figures.atLeast(shown) : figures.atMost(shown)}</>;
}

function withUnit(value: number, unit: string): string {
  const { figures } = messages.value;
  if (unit === 'pixels') return `${formatNumber(value)} ${figures.pixels}`;
  if (unit === 'degrees') return `${formatNumber(value, 1)}${figures.degrees}`;
  return formatNumber(value, 2);
}

const layerOf = ({ rule }: Rule) => (rule === 'pose' ? 'pose' : 'box');
