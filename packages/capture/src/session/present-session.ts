import { fill, type Texts } from '../texts.ts';
import type { Session } from '../transport/protocol.ts';
import type { LiveScreen } from '../view/live-screen.ts';
import type { Sound } from '../view/sound.ts';
import type { View } from '../view/view.ts';
import type { SessionListener } from './run-session.ts';
import type { Guidance } from './step-help.ts';

/** Milliseconds before a hint is announced to screen readers, so that brief ones are not. */
const ANNOUNCE_DELAY = 1500;

interface Presentation {
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
  let index = 0;
  const hints = createHints(view, screen);
  const clock = createClock(screen, view, texts);
  const wait = (text: string, videoHidden: boolean) => {
    screen.hideVideo(videoHidden);
    screen.instruct(text, 'waiting');
    view.announce(text);
  };
  wait(`${texts.openingCamera} ${texts.allowCamera}`, true);
  return {
    ready(cameras) {
      wait(texts.preparing, false);
      screen.offerCameras(cameras);
    },
    waiting() {
      screen.instruct(texts.placeFace, 'face front');
      view.announce(texts.placeFace);
    },
    opened(opened, seconds) {
      session = opened;
      clock.start(seconds);
    },
    step(next) {
      index = next;
      hints.forget();
      showStep(presentation, session, index);
    },
    guide(guidance) {
      // It stays: without its light the face would be too dark again.
      if (guidance.hint === 'too-dark') screen.lightFace();
      hints.show(textOf(guidance, texts));
    },
    demonstrate: () => screen.demonstrate(session.steps[index]),
    countdown(seconds) {
      screen.countdown(seconds > 0 ? String(seconds) : '');
      hints.show(seconds > 0 ? '' : texts.holdStill);
    },
    captured: (done) => showCaptured(presentation, session, done),
    ...judging(presentation, clock, hints),
    end() {
      clock.stop();
      hints.show('');
    },
  };
}

function textOf({ hint, sees }: Guidance, texts: Texts): string {
  if (sees !== undefined) return texts.sees[sees];
  return hint === undefined ? '' : texts.hints[hint];
}

function showStep({ view, screen, texts, muted }: Presentation, { steps }: Session, index: number): void {
  const step = steps[index] ?? 'face front';
  const instruction = step === 'eyes closed' && muted ? texts.eyesClosedSilent : texts.steps[step];
  const progress = fill(texts.progress, { step: index + 1, total: steps.length });
  screen.instruct(instruction, step);
  screen.progress(index, steps.length, progress);
  view.announce(`${progress}: ${instruction}`);
}

function showCaptured({ screen, texts, sound }: Presentation, { steps }: Session, index: number): void {
  screen.countdown('');
  screen.demonstrate(undefined);
  screen.tick();
  screen.progress(index + 1, steps.length, fill(texts.progress, { step: index + 1, total: steps.length }));
  sound.tone();
}

/** What is shown after the camera is off. */
function judging(
  { view, screen, texts }: Presentation,
  clock: ReturnType<typeof createClock>,
  hints: Pick<Hints, 'show'>,
): Pick<SessionListener, 'sending' | 'sent'> {
  let share: number | undefined;
  let explanation = '';
  const show = () => screen.judging(share, texts.sending, explanation);
  return {
    sending() {
      clock.stop();
      hints.show('');
      screen.hideVideo(true);
      screen.instruct(texts.sending, 'waiting');
      screen.progress(1, 1, '');
      view.announce(texts.sending);
      show();
      clock.after(texts.stillChecking, (text) => {
        explanation = text;
        show();
      });
    },
    sent(done) {
      share = done < 1 ? done : undefined;
      show();
    },
  };
}

type Hints = ReturnType<typeof createHints>;

/** Shows hints at once, and announces those that stay, each once in a step. */
function createHints(view: View, screen: LiveScreen) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown = '';
  const announced = new Set<string>();
  const announce = (text: string) => {
    if (announced.has(text)) return;
    announced.add(text);
    view.announce(text);
  };
  return {
    show(text: string) {
      if (text === shown) return;
      shown = text;
      clearTimeout(timer);
      screen.hint(text);
      if (text !== '') timer = setTimeout(announce, ANNOUNCE_DELAY, text);
    },
    /** A step begins. */
    forget: () => announced.clear(),
  };
}

/** Seconds before the end at which the time is announced to screen readers, once. */
const SOON_OVER = 15;
/** Milliseconds after which a wait is explained. */
const LONG_WAIT = 6000;

/** Shows the seconds that are left, and explains a wait. */
function createClock(screen: LiveScreen, view: Pick<View, 'announce'>, texts: Texts) {
  let ticking: ReturnType<typeof setInterval> | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return {
    start(seconds: number) {
      const end = performance.now() + seconds * 1000;
      let announced = seconds <= SOON_OVER;
      const tick = () => {
        const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
        screen.time(fill(texts.remaining, { seconds: left }));
        if (left > SOON_OVER || announced) return;
        announced = true;
        view.announce(fill(texts.soonOver, { seconds: left }));
      };
      tick();
      ticking = setInterval(tick, 500);
    },
    /** Shows and announces a text when a wait takes long. */
    after(text: string, show: (text: string) => void) {
      waiting = setTimeout(() => {
        show(text);
        view.announce(text);
      }, LONG_WAIT);
    },
    stop() {
      clearInterval(ticking);
      clearTimeout(waiting);
      screen.time('');
    },
  };
}
