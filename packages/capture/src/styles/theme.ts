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

/** Colours: light or dark as the device is, or as `theme` says. */
export const theme = `
:host {${light}
  --_radius: var(--wajah-radius, 16px);
  --_font: var(--wajah-font, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
}
@media (prefers-color-scheme: dark) { :host {${dark}} }
:host([theme="light"]) {${light}}
:host([theme="dark"]) {${dark}}
`;
