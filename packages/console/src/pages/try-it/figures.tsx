import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { DetectedFace } from '../../api/types.ts';
import { formatNumber } from '../../i18n/format.ts';
import { common, figures, messageFor, tryIt } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { keptSignal } from '../../state/session.ts';
import { Icon, Tag } from '../../ui/icon.tsx';
import type { Layer } from './face-overlay.tsx';

interface Verdict {
  readonly tone: 'good' | 'info' | 'warn' | 'bad';
  readonly title: string;
  readonly detail: string;
}

/** What the measurements of a face come to: can it be enrolled, does it look like a screen or print, does it wear a mask. */
export function Verdicts({ face, spoofThreshold }: Pick<FiguresProps, 'face' | 'spoofThreshold'>) {
  const verdicts = [qualityVerdict(face), spoofVerdict(face, spoofThreshold), maskVerdict(face)];
  return (
    <>
      <ul class="verdicts" aria-label={tryIt.verdicts}>
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
      {face.spoof_score !== undefined && (
        <p class="hint">
          {tryIt.veto} <a href={hrefOf('liveness')}>{common.liveness}</a>
        </p>
      )}
    </>
  );
}

function qualityVerdict({ quality }: DetectedFace): Verdict | undefined {
  if (quality === undefined) return undefined;
  const failed = quality.filter(({ ok }) => !ok);
  if (failed.length === 0) return { tone: 'good', title: tryIt.enrollable, detail: tryIt.qualityOk };
  const names = failed.map(({ rule }) => messageFor(figures, `rule_${rule}`) ?? rule).join(', ');
  return { tone: 'warn', title: tryIt.notEnrollable, detail: `${tryIt.qualityBad(failed.length)}: ${names}` };
}

function spoofVerdict(face: DetectedFace, threshold: number | undefined): Verdict | undefined {
  if (face.spoof_score === undefined) return undefined;
  if (isUnjudged(face)) return { tone: 'warn', title: tryIt.notJudged, detail: tryIt.notJudgedText };
  const limit = threshold === undefined ? '' : `, ${figures.limit(formatNumber(threshold, 2))}`;
  const detail = `${figures.spoofScore} ${formatNumber(face.spoof_score, 2)}${limit}`;
  if (face.spoof_verdict === 'unclear') return { tone: 'warn', title: tryIt.unclear, detail };
  return face.is_spoof
    ? { tone: 'bad', title: tryIt.signs, detail }
    : { tone: 'info', title: tryIt.noSign, detail };
}

/** Without a PAD pack no network looked at the face, and its score says nothing. */
function isUnjudged({ spoof_cues: cues = [] }: DetectedFace): boolean {
  return cues.length === 0;
}

function maskVerdict({ masker }: DetectedFace): Verdict | undefined {
  if (masker === undefined) return undefined;
  return masker
    ? { tone: 'warn', title: tryIt.maskWorn, detail: tryIt.maskWornText }
    : { tone: 'good', title: tryIt.maskNotWorn, detail: tryIt.maskNotWornText };
}

/** All measurements of a face. */
export function FaceFigures(props: FiguresProps) {
  return (
    <div class="figures">
      <SpoofFigures {...props} />
      <QualityFigures {...props} />
      <PoseFigures {...props} />
      <FeatureFigures {...props} />
      <BoxFigures {...props} />
    </div>
  );
}

function PoseFigures({ face, onHighlight }: FiguresProps) {
  if (face.yaw === undefined) return null;
  const angles = ['yaw', 'pitch', 'roll'] as const;
  return (
    <FigureGroup name="pose" title={figures.pose}>
      {angles.map((angle) => (
        <Figure
          key={angle}
          label={figures[angle]}
          value={`${formatNumber(face[angle] ?? 0, 1)}${figures.degrees}`}
          why={figures[`${angle}Why`]}
          onHighlight={(on) => onHighlight(on ? 'pose' : undefined)}
        />
      ))}
      <p class="hint">{figures.axes}</p>
    </FigureGroup>
  );
}

function FeatureFigures({ face, onHighlight }: FiguresProps) {
  const rows = [
    { label: figures.leftEye, state: face.left_eye, score: face.left_eye_score, why: figures.eyeWhy },
    { label: figures.rightEye, state: face.right_eye, score: face.right_eye_score, why: figures.eyeWhy },
    { label: figures.mouth, state: face.mouth, score: face.mouth_score, why: figures.mouthWhy },
  ];
  return (
    <FigureGroup name="eyes" title={figures.eyes}>
      {rows.map(
        ({ label, state, score, why }) =>
          state !== undefined && (
            <Figure
              key={label}
              label={label}
              value={`${figures[state]} ${formatNumber(score ?? 0, 2)}`}
              why={why}
              onHighlight={(on) => onHighlight(on ? 'features' : undefined)}
            />
          ),
      )}
      {face.masker !== undefined && (
        <Figure
          label={figures.mask}
          value={face.masker ? figures.worn : figures.notWorn}
          why={figures.maskWhy}
          onHighlight={(on) => onHighlight(on ? 'features' : undefined)}
        />
      )}
    </FigureGroup>
  );
}

function BoxFigures({ face, onHighlight }: FiguresProps) {
  const { width, height } = face.box;
  return (
    <FigureGroup name="place" title={figures.place}>
      <Figure
        label={figures.box}
        value={`${Math.round(width)} × ${Math.round(height)} ${figures.pixels}`}
        why={figures.boxWhy}
        onHighlight={(on) => onHighlight(on ? 'box' : undefined)}
      />
      <Figure label={figures.score} value={formatNumber(face.score, 2)} why={figures.scoreWhy} />
    </FigureGroup>
  );
}

/** The spoof score with its threshold and signals. */
function SpoofFigures({ face, spoofThreshold: limit }: FiguresProps) {
  if (face.spoof_score === undefined) return null;
  if (isUnjudged(face)) return null;
  const tone = spoofVerdict(face, limit)?.tone ?? 'info';
  const verdict = <Tag tone={tone}>{formatNumber(face.spoof_score, 2)}</Tag>;
  return (
    <FigureGroup name="spoof" title={figures.spoof} aside={verdict}>
      <Figure
        label={figures.spoofScore}
        value={<Score score={face.spoof_score} limit={limit} />}
        why={figures.spoofWhy}
        bar={{ share: face.spoof_score, limit, tone }}
      />
      {(face.spoof_cues ?? []).map(({ name, score }) => (
        <Figure
          key={name}
          label={messageFor(figures, `cue_${name}`) ?? name}
          value={formatNumber(score, 2)}
          why={[messageFor(figures, `cue_${name}Why`), figures.cueWhy].filter(Boolean).join(' ')}
          bar={{ share: score, limit: 0.5, tone: 'info' }}
        />
      ))}
    </FigureGroup>
  );
}

function Score({ score, limit }: { score: number; limit: number | undefined }) {
  return (
    <>
      {formatNumber(score, 2)}
      {limit !== undefined && <span class="muted small"> {figures.limit(formatNumber(limit, 2))}</span>}
    </>
  );
}

type Rule = NonNullable<DetectedFace['quality']>[number];

/** Each quality rule with its value, its limit and its verdict. */
function QualityFigures({ face, onHighlight }: FiguresProps) {
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
          label={messageFor(figures, `rule_${rule.rule}`) ?? rule.rule}
          value={<RuleValue rule={rule} />}
          why={[messageFor(figures, `rule_${rule.rule}Why`), rule.reason].filter(Boolean).join(' ')}
          onHighlight={(on) => onHighlight(on ? layerOf(rule) : undefined)}
        />
      ))}
    </FigureGroup>
  );
}

function RuleValue({ rule }: { rule: Rule }) {
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
  const isMinimum = ok ? value >= limit : value < limit;
  const shown = withUnit(limit, unit);
  return <>{isMinimum ? figures.atLeast(shown) : figures.atMost(shown)}</>;
}

function withUnit(value: number, unit: string): string {
  if (unit === 'pixels') return `${formatNumber(value)} ${figures.pixels}`;
  if (unit === 'degrees') return `${formatNumber(value, 1)}${figures.degrees}`;
  return formatNumber(value, 2);
}

const layerOf = ({ rule }: Rule) => (rule === 'pose' ? 'pose' : 'box');

interface FiguresProps {
  readonly face: DetectedFace;
  /** Spoof score from which on a face is a spoof, 0 to 1. */
  readonly spoofThreshold: number | undefined;
  /** Highlights a layer of the overlay; undefined for none. */
  readonly onHighlight: (layer: Layer | undefined) => void;
}

/** The groups that are unfolded; they stay so from face to face and from picture to picture. */
const unfolded = keptSignal<ReadonlySet<string>>(new Set());

/** Measurements that are folded below their title. */
function FigureGroup(props: {
  name: string;
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <details
      class="group"
      open={unfolded.value.has(props.name)}
      onToggle={({ currentTarget: { open } }) => {
        if (open === unfolded.value.has(props.name)) return;
        const others = [...unfolded.value].filter((name) => name !== props.name);
        unfolded.value = new Set(open ? [...others, props.name] : others);
      }}
    >
      <summary>
        <h3>{props.title}</h3>
        {props.aside}
      </summary>
      {props.children}
    </details>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: ComponentChildren;
  /** Explanation, shown on hover and focus. */
  readonly why: string;
  /** A bar below the figure; share and limit from 0 to 1. */
  readonly bar?: {
    readonly share: number;
    readonly limit?: number | undefined;
    readonly tone: 'good' | 'warn' | 'bad' | 'info';
  };
  /** Called when hover or focus begins and ends. */
  readonly onHighlight?: (on: boolean) => void;
}

/** A measurement with its label and explanation. Escape hides the explanation. */
function Figure({ label, value, why, bar, onHighlight }: FigureProps) {
  const id = useId();
  const [dismissed, setDismissed] = useState(false);
  const highlight = (on: boolean) => {
    if (!on) setDismissed(false);
    onHighlight?.(on);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is focusable
    <div
      class={dismissed ? 'figure dismissed' : 'figure'}
      onMouseEnter={() => highlight(true)}
      onMouseLeave={() => highlight(false)}
      onFocusIn={() => highlight(true)}
      onFocusOut={() => highlight(false)}
      onKeyDown={(event) => event.key === 'Escape' && setDismissed(true)}
    >
      <button type="button" class="term" aria-describedby={id}>
        {label}
      </button>
      <span class="numbers">{value}</span>
      {bar && <Bar {...bar} />}
      <div role="tooltip" id={id} class="tip">
        {why}
      </div>
    </div>
  );
}

/** Hidden from screen readers, which read the value. */
function Bar({ share, limit, tone }: NonNullable<FigureProps['bar']>) {
  const percent = (part: number) => `${Math.min(1, Math.max(0, part)) * 100}%`;
  return (
    <span class={`bar ${tone}`} aria-hidden="true">
      <span class="fill" style={{ width: percent(share) }} />
      {limit !== undefined && <span class="mark" style={{ left: percent(limit) }} />}
    </span>
  );
}
