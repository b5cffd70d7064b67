import type { LivenessError } from '../errors.ts';
import { fill, reasonTexts, type Texts } from '../texts.ts';
import type { StepResult, Verdict } from '../transport/protocol.ts';
import { button, h, markIcon, stepIcon } from './dom.ts';

/** The screen before the camera is opened. */
export function startScreen(texts: Texts, onStart: () => void): HTMLElement {
  return h(
    'div',
    { class: 'screen start', part: 'start-screen' },
    h('div', { class: 'figure' }, stepIcon('face front')),
    h('h2', { tabindex: -1, class: 'title', part: 'title' }, texts.title),
    h('p', { class: 'lead' }, texts.intro),
    h('ul', { class: 'tips' }, ...texts.tips.map((tip) => h('li', {}, tip))),
    button(texts.start, { class: 'primary', part: 'button start' }, onStart),
    h('p', { class: 'small' }, texts.privacy),
  );
}

export interface VerdictLook {
  /** With what the server measured, for developers. */
  readonly detailed: boolean;
  /** Without another try. */
  readonly once: boolean;
}

/** The verdict with its reasons and steps. */
export function verdictScreen(
  texts: Texts,
  verdict: Verdict,
  onRetry: () => void,
  { detailed, once }: VerdictLook,
): HTMLElement {
  const passed = verdict.liveness === 'passed';
  const reasons = passed ? [] : reasonTexts(verdict.reasons ?? [], withMissedSteps(texts, verdict));
  return h(
    'div',
    { class: 'screen result', part: `result ${verdict.liveness}` },
    markIcon(passed ? 'good' : 'bad'),
    h('h2', { tabindex: -1, class: 'title', part: 'title' }, passed ? texts.passedTitle : texts.failedTitle),
    h('p', { class: 'lead' }, passed ? texts.passedText : texts.failedText),
    reasons.length > 0
      ? h('ul', { class: 'reasons', part: 'reasons' }, ...reasons.map((text) => h('li', {}, text)))
      : undefined,
    stepList(texts, verdict.results ?? []),
    once
      ? undefined
      : button(
          passed ? texts.again : texts.retry,
          { class: passed ? 'secondary' : 'primary', part: 'button retry' },
          onRetry,
        ),
    detailed ? diagnosticsOf(texts, verdict) : undefined,
  );
}

/** The text of the reason `step` names the steps. */
function withMissedSteps(texts: Texts, { results = [] }: Verdict): Texts {
  const missed = results.filter(({ match }) => !match).map(({ step }) => texts.stepNames[step] ?? step);
  if (missed.length === 0) return texts;
  const step = fill(texts.missed, { steps: [...new Set(missed)].join(', ') });
  return { ...texts, reasons: { ...texts.reasons, step } };
}

/** Why there is no verdict, and what the person can do. */
export function errorScreen(texts: Texts, error: LivenessError, onRetry: () => void): HTMLElement {
  const { status = '', missed } = error.details;
  const hasDetail = error.code === 'refused' && error.message !== '';
  const minutes = Math.ceil((error.retryAfter ?? 60) / 60);
  const values = { status, detail: error.message, minutes };
  return h(
    'div',
    { class: 'screen result', part: 'result error', 'data-error': error.code },
    missed ? h('div', { class: 'figure' }, stepIcon(missed.step)) : markIcon('warning'),
    h('h2', { tabindex: -1, class: 'title', part: 'title' }, texts.errorTitle),
    h('p', { class: 'lead' }, missed ? missedText(texts, missed) : fill(texts.errors[error.code], values)),
    hasDetail ? h('p', { class: 'small' }, fill(texts.serverSays, values)) : undefined,
    button(texts.retry, { class: 'primary', part: 'button retry' }, onRetry),
  );
}

function missedText(
  texts: Texts,
  { step, index, total }: NonNullable<LivenessError['details']['missed']>,
): string {
  return fill(texts.expiredAt, { step: index + 1, total, instruction: texts.steps[step] });
}

function stepList(texts: Texts, results: readonly StepResult[]): HTMLElement | undefined {
  if (results.length === 0) return undefined;
  const items = results.map(({ step, match }) =>
    h(
      'li',
      { class: match ? 'seen' : 'unseen' },
      h('span', { class: 'tick', 'aria-hidden': 'true' }, match ? '✓' : '✕'),
      h('span', {}, texts.stepNames[step] ?? step),
      h('span', { class: 'hidden' }, `: ${match ? texts.seen : texts.notSeen}`),
    ),
  );
  return h('ol', { class: 'steps', part: 'steps', 'aria-label': texts.resultsLabel }, ...items);
}

/** What the server answered and measured, word for word: for developers, never for the people who are checked. */
function diagnosticsOf(texts: Texts, verdict: Verdict): HTMLElement {
  const { reasons = [], diagnostics = [], results = [], similarity } = verdict;
  const lines = [
    ...reasons,
    ...diagnostics.map(({ name, detail }) => `${name}: ${detail}`),
    ...(similarity === undefined ? [] : [`similarity: ${similarity}`]),
    ...results.map((result) => `${result.step}: ${measurements(result)}`),
  ];
  return h(
    'details',
    { class: 'diagnostics', part: 'diagnostics', open: true },
    h('summary', {}, texts.diagnostics),
    h('ul', { lang: 'en' }, ...lines.map((line) => h('li', {}, line))),
  );
}

/** @example measurements({ step: 'face left', match: true, yaw: 24.5 }) // 'match true, yaw 24.5' */
function measurements({ step: _, ...fields }: StepResult): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}
