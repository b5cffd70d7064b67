import type { LivenessError } from '../errors.ts';
import type { Texts } from '../texts.ts';
import type { Verdict } from '../transport/protocol.ts';
import { h } from './dom.ts';
import { type LiveScreen, liveScreen } from './live-screen.ts';
import { errorScreen, startScreen, verdictScreen } from './screens.ts';
import { styleSheet } from './styles.ts';

/** Called by buttons. */
interface ViewActions {
  start(): void;
  cancel(): void;
}

/** The content of the element: a card in the page, and a modal dialog over the whole viewport while a session runs. */
export interface View {
  start(): void;
  live(): LiveScreen;
  /** @param detailed with what the server measured, for developers */
  verdict(verdict: Verdict, detailed: boolean): void;
  error(error: LivenessError): void;
  /** Tells screen readers. */
  announce(text: string): void;
}

export function createView(root: ShadowRoot, texts: () => Texts, actions: ViewActions): View {
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
    // What lies outside of a modal dialog is inert, also for screen readers.
    announce: (text) => announceIn(dialog.open ? inside : outside, text),
    start: () => show(startScreen(texts(), actions.start)),
    live() {
      const screen = liveScreen(texts(), actions.cancel);
      outside.textContent = '';
      dialog.setAttribute('aria-label', texts().title);
      dialog.replaceChildren(screen.element, inside);
      if (!dialog.open) dialog.showModal();
      screen.element.querySelector<HTMLElement>('[tabindex="-1"]')?.focus();
      return screen;
    },
    verdict: (verdict, detailed) => tell(verdictScreen(texts(), verdict, actions.start, detailed)),
    error: (error) => tell(errorScreen(texts(), error, actions.start)),
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
