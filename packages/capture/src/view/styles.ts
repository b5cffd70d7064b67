import { layout } from './layout.ts';
import { liveLayout } from './live-layout.ts';

const light = `
  color-scheme: light;
  --_text: var(--wajah-text, #16202a);
  --_muted: var(--wajah-muted, #55636f);
  --_surface: var(--wajah-surface, #ffffff);
  --_raised: var(--wajah-raised, #f3f6f8);
  --_line: var(--wajah-line, #d5dde3);
  --_accent: var(--wajah-accent, #0b6e75);
  --_on-accent: var(--wajah-on-accent, #ffffff);
  --_good: var(--wajah-good, #17734a);
  --_bad: var(--wajah-bad, #b3362b);
  --_warning: var(--wajah-warning, #8a5a00);
`;

const dark = `
  color-scheme: dark;
  --_text: var(--wajah-text, #e8eef2);
  --_muted: var(--wajah-muted, #a3b1bc);
  --_surface: var(--wajah-surface, #141b21);
  --_raised: var(--wajah-raised, #1d262e);
  --_line: var(--wajah-line, #33404a);
  --_accent: var(--wajah-accent, #5cc4cc);
  --_on-accent: var(--wajah-on-accent, #06262a);
  --_good: var(--wajah-good, #57cf95);
  --_bad: var(--wajah-bad, #ff8f83);
  --_warning: var(--wajah-warning, #f0b95a);
`;

/** The colours of the device's scheme, or of the attribute `theme`. */
const theme = `
:host {${light}
  --_radius: var(--wajah-radius, 16px);
  --_font: var(--wajah-font, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
}
@media (prefers-color-scheme: dark) { :host {${dark}} }
:host([theme="light"]) {${light}}
:host([theme="dark"]) {${dark}}
`;

/** Animations. With prefers-reduced-motion none run, and the icons show the last state. */
const motion = `
.features, .lid, .gape, .arrow { transform-box: view-box; transform-origin: 32px 32px; }
.icon[data-step="face left"] .features { transform: translateX(-6px); }
.icon[data-step="face right"] .features { transform: translateX(6px); }
.icon[data-step="face up"] .features { transform: translateY(-9px); }
.icon[data-step="face down"] .features { transform: translateY(6px); }
@media (prefers-reduced-motion: no-preference) {
  .icon:not([data-step="face front"]) .features { animation: turn 1.8s ease-in-out infinite; }
  .arrow { animation: fade 1.8s ease-in-out infinite; }
  .gape { transform-origin: 32px 45px; animation: gape 1.8s ease-in-out infinite; }
  .lid { transform-origin: 32px 28px; animation: fade 1.8s ease-in-out infinite; }
  .spinner { animation: spin 1s linear infinite; }
  .done { transition: stroke-dasharray .4s ease-out; }
  .rim { transition: stroke .15s; }
  .mark { animation: pop .25s ease-out; }
}
@keyframes turn { 0%, 15% { transform: none; } }
@keyframes fade { 0%, 15% { opacity: .15; } }
@keyframes gape { 0%, 15% { transform: scale(.9, .15); } }
@keyframes spin { to { transform: rotate(1turn); } }
@keyframes pop { from { transform: scale(.6); opacity: 0; } }
`;

let shared: CSSStyleSheet | undefined;

/** One style sheet for all elements. A constructed sheet works on pages that forbid inline styles. */
export function styleSheet(): CSSStyleSheet {
  if (shared) return shared;
  shared = new CSSStyleSheet();
  shared.replaceSync(theme + layout + liveLayout + motion);
  return shared;
}
