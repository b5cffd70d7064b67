import type { Session } from './protocol.ts';
import type { Watching } from './run-session.ts';
import type { Sound } from './sound.ts';
import { fill, type Texts } from './texts.ts';
import type { View } from './view.ts';
import type { LiveScreen } from './view-live.ts';

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

/** Shows a run on the live screen, speaks it, and tells the page. */
export function showRun(
  view: View,
  screen: LiveScreen,
  texts: Texts,
  sound: Sound & { muted: boolean },
  told: Told,
): Showing {
  let session: Session | undefined;
  let clock: ReturnType<typeof setInterval> | undefined;
  let speaking: ReturnType<typeof setTimeout> | undefined;
  const total = () => session?.steps.length ?? 0;
  const wait = (text: string) => {
    screen.say(text, 'waiting');
    view.announce(text);
  };
  const hint = (text: string) => {
    clearTimeout(speaking);
    screen.hint(text);
    if (text !== '') speaking = setTimeout(() => view.announce(text), SPEAK_AFTER);
  };
  const end = () => {
    clearInterval(clock);
    clearTimeout(speaking);
    screen.time('');
  };
  screen.dim(true);
  wait(`${texts.openingCamera} ${texts.allowCamera}`);
  const watching: Watching = {
    ready() {
      screen.dim(false);
      wait(texts.preparing);
      told.ready();
    },
    opened(opened, seconds) {
      session = opened;
      const until = performance.now() + seconds * 1000;
      const tick = () => {
        const left = Math.max(0, Math.ceil((until - performance.now()) / 1000));
        screen.time(fill(texts.remaining, { seconds: left }));
      };
      tick();
      clock = setInterval(tick, 500);
      told.opened(opened);
    },
    step(index) {
      const step = session?.steps[index];
      if (!session || step === undefined) return;
      const silent = step === 'eyes closed' && sound.muted;
      const what = silent ? texts.eyesClosedSilent : texts.steps[step];
      const where = fill(texts.progress, { step: index + 1, total: total() });
      screen.applaud(false);
      screen.say(what, step);
      screen.progress(index, total(), where);
      view.announce(`${where}: ${what}`);
      told.step(index, session);
    },
    hint: (found) => hint(found === undefined ? '' : texts.hints[found]),
    countdown(seconds) {
      screen.figure(seconds > 0 ? String(seconds) : '');
      hint(seconds > 0 ? '' : texts.holdStill);
    },
    taken(index) {
      screen.figure('');
      screen.applaud(true);
      screen.say(texts.wellDone, 'good');
      screen.progress(index + 1, total(), fill(texts.progress, { step: index + 1, total: total() }));
      sound.tone();
    },
    sending() {
      end();
      screen.applaud(false);
      screen.dim(true);
      hint('');
      wait(texts.sending);
    },
  };
  return { watching, end };
}
