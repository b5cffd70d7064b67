/** Colours in the light and in the dark. */
const colours = {
  text: ['#16202a', '#e8eef2'],
  muted: ['#55636f', '#a3b1bc'],
  surface: ['#ffffff', '#141b21'],
  raised: ['#f3f6f8', '#1d262e'],
  line: ['#d5dde3', '#33404a'],
  accent: ['#0b6e75', '#5cc4cc'],
  'on-accent': ['#ffffff', '#06262a'],
  good: ['#17734a', '#57cf95'],
  bad: ['#b3362b', '#ff8f83'],
  warning: ['#8a5a00', '#f0b95a'],
} as const;

/** Declares the colours, which a page can set. */
const scheme = (name: 'light' | 'dark') =>
  `color-scheme: ${name}; ${Object.entries(colours)
    .map(([colour, values]) => `--_${colour}: var(--wajah-${colour}, ${values[name === 'light' ? 0 : 1]});`)
    .join(' ')}`;
const [light, dark] = [scheme('light'), scheme('dark')];

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
  .arrow, .pointer { animation: fade 1.8s ease-in-out infinite; }
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

/** The card in the page, before and after a session; distances are multiples of 4 px. */
const layout = `
:host { display: block; width: 100%; max-width: 26rem; margin-inline: auto; }
:host([hidden]) { display: none; }
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
.card {
  background: var(--_surface); color: var(--_text); font: 400 1rem/1.5 var(--_font);
  border: 1px solid var(--_line); border-radius: var(--_radius); overflow: hidden;
}
.screen { display: flex; flex-direction: column; }
.start, .result { padding: 24px 20px; gap: 16px; }
h2, p, ul, ol { margin: 0; }
h2 { font-size: 1.375rem; line-height: 1.25; font-weight: 650; text-wrap: balance; }
:focus { outline: none; }
button:focus-visible, a:focus-visible, input:focus-visible, select:focus-visible { outline: 3px solid var(--_accent); outline-offset: 2px; }
.lead { text-wrap: pretty; }
.small { font-size: .875rem; color: var(--_muted); }
.figure { width: 80px; height: 80px; padding: 6px; border-radius: 50%; background: var(--_raised); color: var(--_accent); }
.icon { display: block; width: 100%; height: 100%; }
.tips { padding: 0; list-style: none; display: grid; gap: 8px; color: var(--_muted); }
.tips li { padding-left: 20px; position: relative; }
.tips li::before {
  content: ""; position: absolute; left: 2px; top: .6em; width: 8px; height: 8px; border-radius: 50%;
  border: 2px solid var(--_accent);
}
button, a, input, select {
  font: inherit; min-height: 48px; padding: 8px 20px; border-radius: calc(var(--_radius) * .75);
  border: 1px solid transparent; width: 100%;
}
button, a { font-weight: 600; cursor: pointer; text-align: center; text-decoration: none; }
input, select { color: inherit; background: var(--_raised); border-color: var(--_line); text-overflow: ellipsis; }
.primary { background: var(--_accent); color: var(--_on-accent); }
.primary:hover { filter: brightness(1.08); }
.secondary { background: transparent; color: var(--_text); border-color: var(--_line); }
.secondary:hover { background: var(--_raised); }
.mark { display: block; width: 56px; height: 56px; color: var(--_surface); }
.mark.good .disc { fill: var(--_good); }
.mark.bad .disc { fill: var(--_bad); }
.mark.warning .disc { fill: var(--_warning); }
.reasons { padding: 0; list-style: none; display: grid; gap: 8px; }
.reasons li { padding: 10px 14px; border-radius: 10px; background: var(--_raised); border-left: 4px solid var(--_bad); }
.steps { padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 8px; font-size: .875rem; }
.steps li { display: inline-flex; gap: 6px; padding: 3px 12px 3px 9px; border-radius: 999px; border: 1px solid var(--_line); }
.seen .tick { color: var(--_good); }
.unseen .tick { color: var(--_bad); }
.tick { font-weight: 700; }
.spinner { width: 36px; height: 36px; border-radius: 50%; border: 4px solid var(--_line); border-top-color: var(--_accent); }
.diagnostics { font-size: .8125rem; color: var(--_muted); }
.diagnostics summary { cursor: pointer; padding: 8px 0; font-weight: 600; }
.diagnostics ul { padding-left: 20px; display: grid; gap: 4px; overflow-wrap: anywhere; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

/**
 * The screen while a session runs: the whole viewport, with instruction, camera, oval, hint and Cancel in view at once.
 * Upright: one below the other. Wide: Cancel beside the instruction. Low, as a phone on its side: two columns.
 */
const liveLayout = `
dialog {
  position: fixed; inset: 0; width: 100vw; height: 100vh; height: 100dvh; max-width: none; max-height: none;
  margin: 0; padding: 0; border: 0; overflow: hidden; overscroll-behavior: contain; touch-action: pinch-zoom;
  background: var(--_surface); color: var(--_text); font: 400 1rem/1.5 var(--_font);
}
dialog::backdrop { background: var(--_surface); }
.live {
  display: grid; height: 100%; min-height: 0; gap: 0 12px;
  grid: "panel" auto "stage" minmax(0, 1fr) "cancel" auto / minmax(0, 1fr);
  padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left);
}
.panel { grid-area: panel; display: flex; align-items: center; gap: 14px; padding: 8px 16px; min-height: 88px; }
.stage { grid-area: stage; }
.buttons { grid-area: cancel; margin: 8px 16px; display: flex; flex-wrap: wrap; gap: 8px; }
.buttons > * { flex: 1 1 8rem; width: auto; min-width: 0; }
.step-icon { flex: none; width: 68px; height: 68px; color: var(--_accent); display: grid; place-items: center; }
.lines { flex: 1; min-width: 0; }
.instruction { font-size: 1.25rem; line-height: 1.25; font-weight: 650; text-wrap: balance; }
.meta { display: flex; gap: 4px 16px; flex-wrap: wrap; min-height: 1.5em; font-size: .875rem; color: var(--_muted); }
.time { font-variant-numeric: tabular-nums; }
.stage { position: relative; min-height: 0; background: #0c1115; overflow: hidden; }
video { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; transform: scaleX(-1); }
.off video, .off .guide { visibility: hidden; }
.guide { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
.scrim { fill: #0c1115; fill-opacity: .58; }
.rim, .done { fill: none; stroke-width: 5; }
.rim { stroke: #ffffff; stroke-opacity: .55; }
.done { stroke: #4fe0a0; }
.pointer { fill: none; stroke: #4fe0a0; stroke-width: 9; stroke-linecap: round; stroke-linejoin: round; }
.seen .rim { stroke: #4fe0a0; stroke-opacity: 1; }
.stage:not(.seen) .ticked { display: none; }
.ticked { position: absolute; bottom: 12px; left: 50%; transform: translateX(-50%); }
.hint, .number, .movement { position: absolute; left: 50%; transform: translateX(-50%); color: #fff; text-align: center; }
.hint {
  top: 12px; width: max-content; max-width: calc(100% - 24px); padding: 6px 18px; border-radius: 20px;
  background: #0c1115; font-weight: 600; text-wrap: balance;
}
.number {
  bottom: 12px; width: 60px; height: 60px; border-radius: 50%; background: #0c1115; border: 3px solid #4fe0a0;
  font-size: 2rem; line-height: 54px; font-weight: 700; font-variant-numeric: tabular-nums;
}
.movement {
  bottom: 12px; width: 9rem; padding: 8px; border-radius: 20px; background: #0c1115d0; font-weight: 600;
  pointer-events: none;
}
.movement .icon { color: #4fe0a0; height: min(8rem, 28vh); }
.live.lit, .lit .stage { background: #fff; color: #16202a; }
.lit .scrim { fill: #fff; fill-opacity: 1; }
.lit .buttons > * { color: #16202a; border-color: #55636f; background: #fff; }
.lit .step-icon { color: #0b6e75; }
.lit .meta { color: #55636f; }
.lit .rim { stroke: #16202a; }
.judging { position: absolute; inset: 0; display: grid; place-content: center; justify-items: center; gap: 12px; padding: 16px; color: #fff; text-align: center; }
progress { width: min(18rem, 70vw); height: 10px; accent-color: #4fe0a0; }
@media (min-aspect-ratio: 1/1) {
  .live {
    width: min(100%, calc((100dvh - 88px) * 4 / 3)); margin-inline: auto;
    grid: "panel cancel" auto "stage stage" minmax(0, 1fr) / minmax(0, 1fr) auto;
  }
  .buttons { align-self: center; margin: 8px 16px 8px 0; }
  .stage { border-radius: var(--_radius) var(--_radius) 0 0; }
}
@media (min-aspect-ratio: 1/1) and (max-height: 520px) {
  .live {
    width: 100%;
    grid: "stage panel" minmax(0, 1fr) "stage cancel" auto / minmax(0, 1fr) minmax(220px, 36%);
  }
  .panel { flex-direction: column; align-items: stretch; justify-content: center; padding: 12px 16px 12px 0; overflow-y: auto; }
  .panel .lines { flex: none; }
  .buttons { align-self: end; }
  .stage { border-radius: 0; }
}
`;
