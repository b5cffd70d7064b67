import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { DetectedFace } from '../../api/types.ts';
import { formatNumber } from '../../i18n/format.ts';
import { common, figures, measure, messageFor, recognise } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { keptSignal } from '../../state/session.ts';
import { Bar } from '../../ui/card.tsx';
import { Icon, Tag } from '../../ui/icon.tsx';
import type { Layer } from './face-marks.tsx';

type Tone = 'good' | 'info' | 'warn' | 'bad';

interface Verdict {
  readonly tone: Tone;
  readonly title: string;
  readonly detail: string;
}

interface FaceProps {
  readonly face: DetectedFace;
  /** Spoof score from which on a face is a spoof, 0 to 1. */
  readonly spoofThreshold: number | undefined;
}

/** What the measurements of a face come to: can it be enrolled, does it look like a screen or print, does it wear a mask. */
export function Verdicts({ face, spoofThreshold }: FaceProps) {
  const verdicts = [qualityVerdict(face), spoofVerdict(face, spoofThreshold), maskVerdict(face)];
  return (
    <>
      <ul class="stack tight verdicts" aria-label={measure.verdicts}>
        {verdicts.map(
          (verdict) =>
            verdict && (
              <li key={verdict.title} class={`before ${verdict.tone}`}>
                <Icon name={verdict.tone} />
                <p>
                  <strong>{verdict.title}</strong>
                  <span class="muted small">{verdict.detail}</span>
                </p>
              </li>
            ),
        )}
      </ul>
      {face.spoof_score !== undefined && (
        <p class="hint">
          {measure.veto} <a href={hrefOf('liveness')}>{common.liveness}</a>
        </p>
      )}
    </>
  );
}

function qualityVerdict({ quality }: DetectedFace): Verdict | undefined {
  if (quality === undefined) return undefined;
  const failed = quality.filter(({ ok }) => !ok);
  if (failed.length === 0) return { tone: 'good', title: measure.enrollable, detail: measure.qualityOk };
  const names = failed.map(({ rule }) => messageFor(recognise, `rule_${rule}`) ?? rule).join(', ');
  return {
    tone: 'warn',
    title: measure.notEnrollable,
    detail: `${measure.qualityBad(failed.length)}: ${names}`,
  };
}

function spoofVerdict(face: DetectedFace, threshold: number | undefined): Verdict | undefined {
  if (face.spoof_score === undefined) return undefined;
  if (isUnjudged(face)) return { tone: 'warn', title: measure.notJudged, detail: measure.notJudgedText };
  const detail = [`${figures.spoofScore} ${formatNumber(face.spoof_score, 2)}`, limitText(threshold)]
    .filter(Boolean)
    .join(', ');
  if (face.spoof_verdict === 'unclear') return { tone: 'warn', title: measure.unclear, detail };
  return face.is_spoof
    ? { tone: 'bad', title: measure.signs, detail }
    : { tone: 'info', title: measure.noSign, detail };
}

const limitText = (threshold: number | undefined) =>
  threshold === undefined ? '' : figures.limit(formatNumber(threshold, 2));

/** Without a PAD pack no network looked at the face, and its score says nothing. */
function isUnjudged({ spoof_cues: cues = [] }: DetectedFace): boolean {
  return cues.length === 0;
}

function maskVerdict({ masker }: DetectedFace): Verdict | undefined {
  if (masker === undefined) return undefined;
  return masker
    ? { tone: 'warn', title: measure.maskWorn, detail: measure.maskWornText }
    : { tone: 'good', title: measure.maskNotWorn, detail: measure.maskNotWornText };
}

/** A measurement with its explanation. */
interface Figure {
  readonly label: string;
  readonly value: ComponentChildren;
  /** Shown on hover and focus. */
  readonly why: string;
  /** A bar below the figure; share and limit from 0 to 1. */
  readonly bar?: { readonly share: number; readonly limit: number | undefined; readonly tone: Tone };
  /** The layer that shows it over the picture. */
  readonly layer?: Layer;
}

interface Group {
  readonly name: string;
  readonly title: string;
  /** Stands beside the title. */
  readonly aside?: ComponentChildren;
  readonly figures: readonly Figure[];
  readonly note?: string;
}

function spoofGroup({ face, spoofThreshold: limit }: FaceProps): Group | undefined {
  const { spoof_score: score, spoof_cues: cues = [] } = face;
  if (score === undefined || isUnjudged(face)) return undefined;
  const tone = spoofVerdict(face, limit)?.tone ?? 'info';
  const shown = formatNumber(score, 2);
  const value = (
    <>
      {shown} <span class="muted small">{limitText(limit)}</span>
    </>
  );
  return {
    name: 'spoof',
    title: figures.spoof,
    aside: <Tag tone={tone}>{shown}</Tag>,
    figures: [
      { label: figures.spoofScore, value, why: figures.spoofWhy, bar: { share: score, limit, tone } },
      ...cues.map((cue) => ({
        label: messageFor(figures, `cue_${cue.name}`) ?? cue.name,
        value: formatNumber(cue.score, 2),
        why: [messageFor(figures, `cue_${cue.name}Why`), figures.cueWhy].filter(Boolean).join(' '),
        bar: { share: cue.score, limit: 0.5, tone: 'info' } as const,
      })),
    ],
  };
}

type Rule = NonNullable<DetectedFace['quality']>[number];

/** Each quality rule with its value, its limit and its verdict. */
function qualityGroup({ quality: rules = [] }: DetectedFace): Group | undefined {
  if (rules.length === 0) return undefined;
  const failed = rules.filter(({ ok }) => !ok).length;
  const verdict = failed === 0 ? measure.qualityOk : measure.qualityBad(failed);
  return {
    name: 'quality',
    title: figures.quality,
    aside: <Tag tone={failed === 0 ? 'good' : 'warn'}>{verdict}</Tag>,
    figures: rules.map((rule) => ({
      label: messageFor(recognise, `rule_${rule.rule}`) ?? rule.rule,
      value: <RuleValue rule={rule} />,
      why: [messageFor(figures, `rule_${rule.rule}Why`), rule.reason].filter(Boolean).join(' '),
      layer: rule.rule === 'pose' ? 'pose' : 'box',
    })),
  };
}

/** The verdict shows whether the limit is a minimum or a maximum. */
function RuleValue({ rule: { value, limit, unit, ok } }: { rule: Rule }) {
  const isMinimum = ok ? value >= limit : value < limit;
  const shownLimit = withUnit(limit, unit);
  return (
    <span class={ok ? 'row end verdict good' : 'row end verdict bad'}>
      {withUnit(value, unit)}
      <span class="muted small">{isMinimum ? figures.atLeast(shownLimit) : figures.atMost(shownLimit)}</span>
      <Icon name={ok ? 'good' : 'bad'} />
      <span class="visually-hidden">{ok ? figures.met : figures.notMet}</span>
    </span>
  );
}

function withUnit(value: number, unit: string): string {
  if (unit === 'pixels') return `${formatNumber(value)} px`;
  if (unit === 'degrees') return `${formatNumber(value, 1)}°`;
  return formatNumber(value, 2);
}

function poseGroup(face: DetectedFace): Group | undefined {
  if (face.yaw === undefined) return undefined;
  return {
    name: 'pose',
    title: figures.pose,
    figures: (['yaw', 'pitch', 'roll'] as const).map((angle) => ({
      label: figures[angle],
      value: withUnit(face[angle] ?? 0, 'degrees'),
      why: figures[`${angle}Why`],
      layer: 'pose',
    })),
    note: figures.axes,
  };
}

function featureGroup(face: DetectedFace): Group {
  const states = [
    [figures.leftEye, face.left_eye, face.left_eye_score, figures.eyeWhy],
    [figures.rightEye, face.right_eye, face.right_eye_score, figures.eyeWhy],
    [figures.mouth, face.mouth, face.mouth_score, figures.mouthWhy],
  ] as const;
  const shown = states.flatMap(([label, state, score = 0, why]): Figure[] =>
    state === undefined
      ? []
      : [{ label, value: `${figures[state]} ${formatNumber(score, 2)}`, why, layer: 'features' }],
  );
  const mask: Figure = {
    label: common.mask,
    value: face.masker ? figures.worn : figures.notWorn,
    why: figures.maskWhy,
    layer: 'features',
  };
  return {
    name: 'eyes',
    title: figures.eyes,
    figures: face.masker === undefined ? shown : [...shown, mask],
  };
}

function placeGroup({ box: { width, height }, score }: DetectedFace): Group {
  const size = `${Math.round(width)} × ${Math.round(height)} px`;
  return {
    name: 'place',
    title: figures.place,
    figures: [
      { label: figures.box, value: size, why: figures.boxWhy, layer: 'box' },
      { label: figures.score, value: formatNumber(score, 2), why: figures.scoreWhy },
    ],
  };
}

/** The groups that are unfolded; they stay so from face to face and from picture to picture. */
const unfolded = keptSignal<ReadonlySet<string>>(new Set());

/** All measurements of a face. @param props.onHighlight gets the layer of the one under the pointer; undefined for none */
export function FaceFigures(props: FaceProps & { onHighlight: (layer: Layer | undefined) => void }) {
  const { face, onHighlight } = props;
  const groups = [
    spoofGroup(props),
    qualityGroup(face),
    poseGroup(face),
    featureGroup(face),
    placeGroup(face),
  ];
  return (
    <div>
      {groups.map(
        (group) =>
          group && (
            <details
              key={group.name}
              class="group"
              open={unfolded.value.has(group.name)}
              onToggle={({ currentTarget: { open } }) => {
                const others = [...unfolded.value].filter((name) => name !== group.name);
                if (open !== unfolded.value.has(group.name))
                  unfolded.value = new Set(open ? [...others, group.name] : others);
              }}
            >
              <summary>
                <h3>{group.title}</h3>
                {group.aside}
              </summary>
              {group.figures.map((figure) => (
                <FigureLine key={figure.label} figure={figure} onHighlight={onHighlight} />
              ))}
              {group.note !== undefined && <p class="hint">{group.note}</p>}
            </details>
          ),
      )}
    </div>
  );
}

/** A measurement with its label and explanation. Escape hides the explanation. */
function FigureLine(props: { figure: Figure; onHighlight: (layer: Layer | undefined) => void }) {
  const { label, value, why, bar, layer } = props.figure;
  const id = useId();
  const [dismissed, setDismissed] = useState(false);
  const highlight = (on: boolean) => {
    if (!on) setDismissed(false);
    props.onHighlight(on ? layer : undefined);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is focusable
    <div
      class={dismissed ? 'after figure dismissed' : 'after figure'}
      onMouseEnter={() => highlight(true)}
      onMouseLeave={() => highlight(false)}
      onFocusIn={() => highlight(true)}
      onFocusOut={() => highlight(false)}
      onKeyDown={(event) => event.key === 'Escape' && setDismissed(true)}
    >
      <button type="button" class="bare term" aria-describedby={id}>
        {label}
      </button>
      <span class="numbers">{value}</span>
      {bar && <Bar tone={bar.tone} share={bar.share} mark={bar.limit} />}
      <div role="tooltip" id={id} class="tip">
        {why}
      </div>
    </div>
  );
}
