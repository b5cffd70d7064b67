import type { LivenessError } from '../errors.ts';
import type { Texts } from '../texts/texts.ts';
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

/** The content of the element: one screen at a time, and a live region for screen readers. */
export interface View {
  start(): void;
  live(): LiveScreen;
  verdict(verdict: Verdict): void;
  error(error: LivenessError): void;
  announce(text: string): void;
}

export function createView(root: ShadowRoot, texts: () => Texts, actions: ViewActions): View {
  root.adoptedStyleSheets = [styleSheet()];
  const liveRegion = h('p', {
    class: 'hidden',
    role: 'status',
    'aria-live': 'polite',
    'aria-atomic': 'true',
  });
  const card = h('div', { class: 'card', part: 'card' });
  root.append(card, liveRegion);
  const show = (screen: HTMLElement) => {
    const hadFocus = root.activeElement !== null;
    card.replaceChildren(screen);
    if (hadFocus) screen.querySelector<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
  };
  const announce = (text: string) => {
    if (liveRegion.textContent !== text) liveRegion.textContent = text;
  };
  return {
    announce,
    start: () => show(startScreen(texts(), actions.start)),
    live() {
      const screen = liveScreen(texts(), actions.cancel);
      show(screen.element);
      return screen;
    },
    verdict(verdict) {
      const screen = verdictScreen(texts(), verdict, actions.start);
      show(screen);
      announce(spokenText(screen));
    },
    error(error) {
      const screen = errorScreen(texts(), error, actions.start);
      show(screen);
      announce(spokenText(screen));
    },
  };
}

function spokenText(screen: HTMLElement): string {
  const parts = [...screen.querySelectorAll('h2, p, .reasons li')];
  return parts.map((part) => part.textContent?.replace(/[.:]?\s*$/, '.')).join(' ');
}
