import type { LivenessError } from '../errors.ts';
import { sheet } from '../styles/styles.ts';
import type { Texts } from '../texts/texts.ts';
import type { Verdict } from '../transport/protocol.ts';
import { h } from './dom.ts';
import { type LiveScreen, liveScreen } from './view-live.ts';
import { errorScreen, verdictScreen } from './view-result.ts';
import { startScreen } from './view-start.ts';

/** What the person can ask for. */
export interface Wishes {
  start(): void;
  cancel(): void;
}

/** The element's inside: one screen at a time, and a line that screen readers hear. */
export interface View {
  start(): void;
  live(): LiveScreen;
  verdict(verdict: Verdict): void;
  error(error: LivenessError): void;
  announce(text: string): void;
}

export function createView(root: ShadowRoot, texts: () => Texts, wishes: Wishes): View {
  root.adoptedStyleSheets = [sheet()];
  const heard = h('p', { class: 'hidden', role: 'status', 'aria-live': 'polite', 'aria-atomic': 'true' });
  const place = h('div', { class: 'card', part: 'card' });
  root.append(place, heard);
  const show = (screen: HTMLElement) => {
    // Who had the focus inside keeps it inside.
    const hadFocus = root.activeElement !== null;
    place.replaceChildren(screen);
    if (hadFocus) screen.querySelector<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
  };
  const announce = (text: string) => {
    if (heard.textContent !== text) heard.textContent = text;
  };
  return {
    announce,
    start: () => show(startScreen(texts(), wishes.start)),
    live() {
      const screen = liveScreen(texts(), wishes.cancel);
      show(screen.element);
      return screen;
    },
    verdict(verdict) {
      const screen = verdictScreen(texts(), verdict, wishes.start);
      show(screen);
      announce(spoken(screen));
    },
    error(error) {
      const screen = errorScreen(texts(), error, wishes.start);
      show(screen);
      announce(spoken(screen));
    },
  };
}

function spoken(screen: HTMLElement): string {
  const parts = [...screen.querySelectorAll('h2, p, .reasons li')];
  return parts.map((part) => part.textContent?.replace(/[.:]?\s*$/, '.')).join(' ');
}
