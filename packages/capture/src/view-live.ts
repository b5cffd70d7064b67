import { button, h, s } from './dom.ts';
import { markIcon, stepIcon } from './icons.ts';
import type { Step } from './protocol.ts';
import type { Texts } from './texts.ts';

/** The oval in a stage of 300 × 400. */
const oval = { cx: 150, cy: 196, rx: 104, ry: 140 } as const;
const scrim =
  `M0 0H300V400H0Z M${oval.cx - oval.rx} ${oval.cy}` +
  `a${oval.rx} ${oval.ry} 0 1 0 ${2 * oval.rx} 0a${oval.rx} ${oval.ry} 0 1 0 ${-2 * oval.rx} 0Z`;

/** What is seen while the camera runs. */
export interface LiveScreen {
  readonly element: HTMLElement;
  readonly video: HTMLVideoElement;
  /** What to do, or what is being waited for, with a picture of it. */
  say(text: string, icon: Step | 'good' | 'waiting'): void;
  /** A line over the video; empty: none. */
  hint(text: string): void;
  /** A figure over the video; empty: none. */
  figure(text: string): void;
  /** @param done steps that are done @param at the one that runs */
  progress(done: number, total: number, text: string): void;
  time(text: string): void;
  /** Whether the oval shines, as a step was just seen. */
  applaud(on: boolean): void;
  /** Hides the video, which is off. */
  dim(on: boolean): void;
}

export function liveScreen(texts: Texts, onCancel: () => void): LiveScreen {
  const video = h('video', {
    playsinline: true,
    muted: true,
    part: 'video',
    'aria-label': texts.previewLabel,
  });
  video.muted = true;
  const ring = s('ellipse', { ...oval, class: 'done', pathLength: 100, 'stroke-dasharray': '0 100' });
  const guide = s(
    'svg',
    { viewBox: '0 0 300 400', class: 'guide', preserveAspectRatio: 'xMidYMid slice', 'aria-hidden': 'true' },
    s('path', { d: scrim, class: 'scrim', 'fill-rule': 'evenodd' }),
    s('ellipse', { ...oval, class: 'rim' }),
    ring,
  );
  const icon = h('div', { class: 'what' });
  const instruction = h('p', { class: 'instruction', part: 'instruction', tabindex: -1 });
  const count = h('span', { class: 'count' });
  const time = h('span', { class: 'time', part: 'time' });
  const hint = h('p', { class: 'hint', part: 'hint', hidden: true });
  const figure = h('p', { class: 'number', 'aria-hidden': 'true', hidden: true });
  const stage = h('div', { class: 'stage', part: 'stage' }, video, guide, figure, hint);
  const element = h(
    'div',
    { class: 'screen live' },
    h(
      'div',
      { class: 'panel', part: 'panel' },
      icon,
      h('div', { class: 'words' }, instruction, h('p', { class: 'meta' }, count, time)),
    ),
    stage,
    button(texts.cancel, { class: 'secondary', part: 'button cancel' }, onCancel),
  );
  const show = (line: HTMLElement, text: string) => {
    line.hidden = text === '';
    line.textContent = text;
  };
  return {
    element,
    video,
    say(text, what) {
      instruction.textContent = text;
      icon.replaceChildren(
        what === 'good'
          ? markIcon('good')
          : what === 'waiting'
            ? h('div', { class: 'spinner' })
            : stepIcon(what),
      );
    },
    hint: (text) => show(hint, text),
    figure: (text) => show(figure, text),
    progress(done, total, text) {
      ring.setAttribute('stroke-dasharray', `${total === 0 ? 0 : (100 * done) / total} 100`);
      count.textContent = text;
    },
    time(text) {
      time.textContent = text;
    },
    applaud: (on) => stage.classList.toggle('seen', on),
    dim: (on) => stage.classList.toggle('off', on),
  };
}
