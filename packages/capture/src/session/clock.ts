import { fill, type Texts } from '../texts/texts.ts';
import type { LiveScreen } from '../view/live-screen.ts';
import type { View } from '../view/view.ts';

/** Seconds before the end at which the time is announced to screen readers, once. */
const SOON_OVER = 15;
/** Milliseconds after which a wait is explained. */
const LONG_WAIT = 6000;

/** Shows the seconds that are left, and explains a wait. */
export function createClock(screen: LiveScreen, view: Pick<View, 'announce'>, texts: Texts) {
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
