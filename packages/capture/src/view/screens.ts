import type { LivenessError } from '../errors.ts';
import { fill, reasonTexts, type Texts } from '../texts.ts';
import type { StepResult, Verdict } from '../transport/protocol.ts';
import { button, cameraChoice, h, markIcon, stepIcon } from './dom.ts';

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

/** The verdict with its reasons and steps. @param detailed with what the server measured, for developers */
export function verdictScreen(
  texts: Texts,
  verdict: Verdict,
  onRetry: () => void,
  detailed: boolean,
): HTMLElement {
  const { tries_left: tries } = verdict;
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
    passed || tries === undefined
      ? undefined
      : h('p', { class: 'small' }, tries > 0 ? fill(texts.triesLeft, { tries }) : texts.noTryLeft),
    tries === 0
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
export function errorScreen(
  texts: Texts,
  error: LivenessError,
  actions: { start(): void; use(camera: string): void },
): HTMLElement {
  const { status = '', missed, cameras = [] } = error.details;
  const inApp = error.code === 'browser';
  // Another browser or device may have what this one lacks.
  const ways = inApp || /^(insecure|camera)/.test(error.code) ? waysElsewhere(texts, inApp) : [];
  const look = { class: inApp ? 'secondary' : 'primary', part: 'button retry' };
  const retry = button(texts.retry, look, actions.start);
  const hasDetail = error.code === 'refused' && error.message !== '';
  const minutes = Math.ceil((error.retryAfter ?? 60) / 60);
  const values = { status, detail: error.message, minutes, browser: browserName(texts) };
  const lead = missed
    ? fill(texts.expiredAt, { ...missed, step: missed.index + 1, instruction: texts.steps[missed.step] })
    : status === '503'
      ? texts.hints.busy
      : fill(texts.errors[error.code], values);
  return h(
    'div',
    { class: 'screen result', part: 'result error', 'data-error': error.code },
    missed ? h('div', { class: 'figure' }, stepIcon(missed.step)) : markIcon('warning'),
    h('h2', { tabindex: -1, class: 'title', part: 'title' }, texts.errorTitle),
    h('p', { class: 'lead' }, lead),
    hasDetail ? h('p', { class: 'small' }, fill(texts.serverSays, values)) : undefined,
    cameraChoice(texts, cameras, actions.use),
    ...(inApp ? [...ways, retry] : [retry, ...ways]),
  );
}

const isAndroid = () => navigator.userAgent.includes('Android');

/** The browser that every device of this kind has. */
function browserName({ otherBrowser }: Texts): string {
  if (isAndroid()) return 'Chrome';
  return /iPhone|iPad/.test(navigator.userAgent) ? 'Safari' : otherBrowser;
}

/** The address of the page, copied with one press, and out of the view of an app on Android a link that asks the system. */
function waysElsewhere(texts: Texts, inApp: boolean): HTMLElement[] {
  const { href, protocol } = location;
  const field = h('input', { readonly: true, value: href, 'aria-label': texts.address });
  const copied = () => {
    copy.textContent = texts.copied;
  };
  const selectAndCopy = () => {
    field.select();
    if (document.execCommand('copy')) copied();
  };
  const copy = button(
    texts.copyLink,
    { class: inApp ? 'primary' : 'secondary', part: 'button copy', 'aria-live': 'polite' },
    () => {
      if (navigator.clipboard) navigator.clipboard.writeText(href).then(copied, selectAndCopy);
      else selectAndCopy();
    },
  );
  if (!inApp || !isAndroid()) return [copy, field];
  // The last `#` begins what the system reads: a fragment of the page stays.
  const intent = `intent:${href.slice(protocol.length)}#Intent;scheme=${protocol.slice(0, -1)};action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;end`;
  const open = h('a', { href: intent, class: 'primary', part: 'button open' }, texts.openInBrowser);
  return [open, copy, field];
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
