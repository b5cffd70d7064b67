import { fill, type Texts } from '../texts/texts.ts';
import type { Session } from '../transport/protocol.ts';
import type { Sound } from '../view/sound.ts';
import type { View } from '../view/view.ts';
import type { LiveScreen } from '../view/view-live.ts';
import type { Watching } from './run-session.ts';

/** What the page is told on the way. */
export interface Told {
  ready(): void;
  opened(session: Session): void;
  step(index: number, session: Session): void;
}

export interface Showing {
  readonly watching: Watching;
  /** Stops the clock. */
  end(): void;
}

/** Milliseconds that a hint stands before it is spoken: what passes by itself is not. */
const SPEAK_AFTER = 1500;

/** Where a run is shown and heard. */
export interface Theatre {
  readonly view: View;
  readonly screen: LiveScreen;
  readonly texts: Texts;
  readonly sound: Pick<Sound, 'tone'>;
  readonly muted: boolean;
}

/** Shows a run on the live screen, speaks it, and tells the page. */
export function showRun(theatre: Theatre, told: Told): Showing {
  const { view, screen, texts } = theatre;
  let session: Session = { session_id: '', steps: [] };
  const hints = hintsOn(view, screen);
  const clock = clockOn(screen, texts);
  const pending = (text: string, dark: boolean) => {
    screen.dim(dark);
    screen.say(text, 'waiting');
    view.announce(text);
  };
  pending(`${texts.openingCamera} ${texts.allowCamera}`, true);
  const watching: Watching = {
    ready() {
      pending(texts.preparing, false);
      told.ready();
    },
    opened(opened, seconds) {
      session = opened;
      clock.start(seconds);
      told.opened(opened);
    },
    step(index) {
      ask(theatre, session, index);
      told.step(index, session);
    },
    hint: (found) => hints.show(found === undefined ? '' : texts.hints[found]),
    countdown(seconds) {
      screen.figure(seconds > 0 ? String(seconds) : '');
      hints.show(seconds > 0 ? '' : texts.holdStill);
    },
    taken: (index) => applaud(theatre, session, index),
    sending() {
      clock.stop();
      hints.show('');
      screen.applaud(false);
      pending(texts.sending, true);
    },
  };
  const end = () => {
    clock.stop();
    hints.show('');
  };
  return { watching, end };
}

function ask({ view, screen, texts, muted }: Theatre, { steps }: Session, index: number): void {
  const step = steps[index] ?? 'face front';
  const what = step === 'eyes closed' && muted ? texts.eyesClosedSilent : texts.steps[step];
  const where = fill(texts.progress, { step: index + 1, total: steps.length });
  screen.applaud(false);
  screen.say(what, step);
  screen.progress(index, steps.length, where);
  view.announce(`${where}: ${what}`);
}

function applaud({ screen, texts, sound }: Theatre, { steps }: Session, index: number): void {
  const where = fill(texts.progress, { step: index + 1, total: steps.length });
  screen.figure('');
  screen.applaud(true);
  screen.say(texts.wellDone, 'good');
  screen.progress(index + 1, steps.length, where);
  sound.tone();
}

/** Hints are seen at once, and heard when they stand. */
function hintsOn(view: View, screen: LiveScreen) {
  let speaking: ReturnType<typeof setTimeout> | undefined;
  let shown = '';
  return {
    show(text: string) {
      if (text === shown) return;
      shown = text;
      clearTimeout(speaking);
      screen.hint(text);
      if (text !== '') speaking = setTimeout(() => view.announce(text), SPEAK_AFTER);
    },
  };
}

/** Says how many seconds are left. */
function clockOn(screen: LiveScreen, texts: Texts) {
  let ticking: ReturnType<typeof setInterval> | undefined;
  return {
    start(seconds: number) {
      const until = performance.now() + seconds * 1000;
      const tick = () => {
        const left = Math.max(0, Math.ceil((until - performance.now()) / 1000));
        screen.time(fill(texts.remaining, { seconds: left }));
      };
      tick();
      ticking = setInterval(tick, 500);
    },
    stop() {
      clearInterval(ticking);
      screen.time('');
    },
  };
}
