import type { LivenessError } from '../errors.ts';
import type { Texts } from '../texts.ts';
import type { Verdict } from '../transport/protocol.ts';
import { h } from './dom.ts';
import { liveScreen } from './live-screen.ts';
import { errorScreen, startScreen, verdictScreen } from './screens.ts';
import { styleSheet } from './styles.ts';

/** The content of the element: a card in the page, and a modal dialog over the whole viewport while a session runs. */
export type View = ReturnType<typeof createView>;

/** Called by buttons. */
interface Actions {
  start(): void;
  cancel(): void;
  /** Starts with this camera. */
  use(camera: string): void;
}

export function createView(root: ShadowRoot, texts: () => Texts, actions: Actions) {
  root.adoptedStyleSheets = [styleSheet()];
  const card = h('div', { class: 'card', part: 'card' });
  const dialog = h('dialog', { part: 'dialog' });
  const [outside, inside] = [liveRegion(), liveRegion()];
  root.append(card, outside, dialog);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    actions.cancel();
  });
  const show = (screen: HTMLElement) => {
    const hadFocus = root.activeElement !== null;
    card.replaceChildren(screen);
    inside.textContent = '';
    if (dialog.open) dialog.close();
    if (hadFocus) screen.querySelector<HTMLElement>('[tabindex="-1"]')?.focus();
  };
  const tell = (screen: HTMLElement) => {
    show(screen);
    announceIn(outside, spokenText(screen));
  };
  return {
    /** Tells screen readers: what lies outside of a modal dialog is inert, also for them. */
    announce: (text: string) => announceIn(dialog.open ? inside : outside, text),
    start: () => show(startScreen(texts(), actions.start)),
    live() {
      const screen = liveScreen(texts(), actions);
      outside.textContent = '';
      dialog.setAttribute('aria-label', texts().title);
      dialog.replaceChildren(screen.element, inside);
      if (!dialog.open) dialog.showModal();
      screen.element.querySelector<HTMLElement>('[tabindex="-1"]')?.focus();
      return screen;
    },
    verdict: (verdict: Verdict, detailed: boolean) =>
      tell(verdictScreen(texts(), verdict, actions.start, detailed)),
    error: (error: LivenessError) => tell(errorScreen(texts(), error, actions)),
  };
}

function liveRegion(): HTMLElement {
  return h('p', { class: 'hidden', role: 'status', 'aria-live': 'polite', 'aria-atomic': 'true' });
}

function announceIn(region: HTMLElement, text: string): void {
  if (region.textContent !== text) region.textContent = text;
}

function spokenText(screen: HTMLElement): string {
  const parts = [...screen.querySelectorAll('h2, .lead, .small, .reasons li')];
  return parts.map((part) => part.textContent?.replace(/[.:]?\s*$/, '.')).join(' ');
}
