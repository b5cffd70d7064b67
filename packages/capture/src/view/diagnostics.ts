import type { Texts } from '../texts/texts.ts';
import type { StepResult, Verdict } from '../transport/protocol.ts';
import { h } from './dom.ts';

/** What the server answered and measured, word for word: for developers, never for the people who are checked. */
export function diagnosticsOf(texts: Texts, verdict: Verdict): HTMLElement {
  const { reasons = [], diagnostics = [], results = [], light, similarity } = verdict;
  const lines = [
    ...reasons,
    ...diagnostics.map(({ name, detail }) => `${name}: ${detail}`),
    ...(light === undefined ? [] : [`light: ${light}`]),
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
