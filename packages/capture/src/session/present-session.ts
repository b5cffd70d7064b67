import { fill, type Texts } from '../texts/texts.ts';
import type { Session } from '../transport/protocol.ts';
import type { LiveScreen } from '../view/live-screen.ts';
import type { Sound } from '../view/sound.ts';
import type { View } from '../view/view.ts';
import type { SessionListener } from './run-session.ts';

/** Milliseconds before a hint is announced to screen readers, so that brief ones are not. */
const ANNOUNCE_DELAY = 1500;

export interface Presentation {
  readonly view: View;
  readonly screen: LiveScreen;
  readonly texts: Texts;
  readonly sound: Pick<Sound, 'tone'>;
  readonly muted: boolean;
}

/** A listener that shows a session on the live screen and announces it to screen readers. */
export function presentSession(presentation: Presentation): SessionListener & { end(): void } {
  const { view, screen, texts } = presentation;
  let session: Session = { session_id: '', steps: [] };
  const hints = createHints(view, screen);
  const clock = createClock(screen, texts);
  const wait = (text: string, videoHidden: boolean) => {
    screen.hideVideo(videoHidden);
    screen.instruct(text, 'waiting');
    view.announce(text);
  };
  wait(`${texts.openingCamera} ${texts.allowCamera}`, true);
  return {
    ready: () => wait(texts.preparing, false),
    opened(opened, seconds) {
      session = opened;
      clock.start(seconds);
    },
    step: (index) => showStep(presentation, session, index),
    hint: (hint) => hints.show(hint === undefined ? '' : texts.hints[hint]),
    countdown(seconds) {
      screen.countdown(seconds > 0 ? String(seconds) : '');
      hints.show(seconds > 0 ? '' : texts.holdStill);
    },
    captured: (index) => showCaptured(presentation, session, index),
    lights() {
      screen.countdown('');
      screen.highlight(false);
      screen.hint('');
      screen.instruct(texts.lights, 'face front');
      view.announce(texts.lights);
    },
    light: (colour) => screen.light(colour),
    sending() {
      clock.stop();
      hints.show('');
      screen.highlight(false);
      wait(texts.sending, true);
    },
    end() {
      screen.light(undefined);
      clock.stop();
      hints.show('');
    },
  };
}

function showStep({ view, screen, texts, muted }: Presentation, { steps }: Session, index: number): void {
  const step = steps[index] ?? 'face front';
  const instruction = step === 'eyes closed' && muted ? texts.eyesClosedSilent : texts.steps[step];
  const progress = fill(texts.progress, { step: index + 1, total: steps.length });
  screen.highlight(false);
  screen.instruct(instruction, step);
  screen.progress(index, steps.length, progress);
  view.announce(`${progress}: ${instruction}`);
}

function showCaptured({ screen, texts, sound }: Presentation, { steps }: Session, index: number): void {
  screen.countdown('');
  screen.highlight(true);
  screen.instruct(texts.wellDone, 'good');
  screen.progress(index + 1, steps.length, fill(texts.progress, { step: index + 1, total: steps.length }));
  sound.tone();
}

function createHints(view: View, screen: LiveScreen) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown = '';
  return {
    show(text: string) {
      if (text === shown) return;
      shown = text;
      clearTimeout(timer);
      screen.hint(text);
      if (text !== '') timer = setTimeout(() => view.announce(text), ANNOUNCE_DELAY);
    },
  };
}

/** Shows the seconds that are left. */
function createClock(screen: LiveScreen, texts: Texts) {
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    start(seconds: number) {
      const end = performance.now() + seconds * 1000;
      const tick = () => {
        const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
        screen.time(fill(texts.remaining, { seconds: left }));
      };
      tick();
      timer = setInterval(tick, 500);
    },
    stop() {
      clearInterval(timer);
      screen.time('');
    },
  };
}
