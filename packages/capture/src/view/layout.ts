/** The card in the page, before and after a session; distances are multiples of 4 px. */
export const layout = `
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
button:focus-visible { outline: 3px solid var(--_accent); outline-offset: 2px; }
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
button {
  font: inherit; font-weight: 600; min-height: 48px; padding: 8px 20px; border-radius: calc(var(--_radius) * .75);
  border: 1px solid transparent; cursor: pointer; width: 100%;
}
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
