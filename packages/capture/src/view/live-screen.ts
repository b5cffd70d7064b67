import type { Texts } from '../texts/texts.ts';
import type { Step } from '../transport/protocol.ts';
import { button, h, s } from './dom.ts';
import { markIcon, stepIcon } from './icons.ts';

/** The guide of a stage of 300 × 400 pixels. */
const oval = { cx: 150, cy: 196, rx: 104, ry: 140 } as const;
const scrim =
  `M0 0H300V400H0Z M${oval.cx - oval.rx} ${oval.cy}` +
  `a${oval.rx} ${oval.ry} 0 1 0 ${2 * oval.rx} 0a${oval.rx} ${oval.ry} 0 1 0 ${-2 * oval.rx} 0Z`;
/** The rim of the oval, clockwise from the top. */
const track =
  `M${oval.cx} ${oval.cy - oval.ry}` +
  `a${oval.rx} ${oval.ry} 0 1 1 0 ${2 * oval.ry}a${oval.rx} ${oval.ry} 0 1 1 0 ${-2 * oval.ry}`;

/** The screen while a session runs. */
export interface LiveScreen {
  readonly element: HTMLElement;
  readonly video: HTMLVideoElement;
  instruct(text: string, icon: Step | 'good' | 'waiting'): void;
  /** A line over the video; empty for none. */
  hint(text: string): void;
  /** A number over the video; empty for none. */
  countdown(text: string): void;
  /** @param done steps that are done */
  progress(done: number, total: number, text: string): void;
  time(text: string): void;
  /** Highlights the oval, when a step is done. */
  highlight(on: boolean): void;
  hideVideo(on: boolean): void;
  /** Fills the whole page with a colour, `#rrggbb`; undefined: with none. */
  light(colour: string | undefined): void;
}

export function liveScreen(texts: Texts, onCancel: () => void): LiveScreen {
  const stage = buildStage(texts.previewLabel);
  const panel = buildPanel();
  const cover = h('div', { class: 'cover', part: 'light', hidden: true });
  const cancel = button(texts.cancel, { class: 'secondary', part: 'button cancel' }, onCancel);
  return {
    element: h('div', { class: 'screen live' }, panel.element, stage.element, cancel, cover),
    video: stage.video,
    instruct: panel.instruct,
    hint: stage.hint,
    countdown: stage.countdown,
    progress(done, total, text) {
      stage.fill(total === 0 ? 0 : done / total);
      panel.count.textContent = text;
    },
    time(text) {
      panel.time.textContent = text;
    },
    highlight: (on) => stage.element.classList.toggle('seen', on),
    hideVideo: (on) => stage.element.classList.toggle('off', on),
    light(colour) {
      cover.hidden = colour === undefined;
      if (colour !== undefined) cover.style.backgroundColor = colour;
    },
  };
}

function buildStage(label: string) {
  const video = h('video', { playsinline: true, muted: true, part: 'video', 'aria-label': label });
  video.muted = true;
  const ring = s('path', { d: track, class: 'done', pathLength: 100, 'stroke-dasharray': '0 100' });
  const guide = s(
    'svg',
    { viewBox: '0 0 300 400', class: 'guide', preserveAspectRatio: 'xMidYMid slice', 'aria-hidden': 'true' },
    s('path', { d: scrim, class: 'scrim', 'fill-rule': 'evenodd' }),
    s('ellipse', { ...oval, class: 'rim' }),
    ring,
  );
  const hint = h('p', { class: 'hint', part: 'hint', hidden: true });
  const countdown = h('p', { class: 'number', 'aria-hidden': 'true', hidden: true });
  const show = (line: HTMLElement) => (text: string) => {
    line.hidden = text === '';
    line.textContent = text;
  };
  return {
    element: h('div', { class: 'stage', part: 'stage' }, video, guide, countdown, hint),
    video,
    hint: show(hint),
    countdown: show(countdown),
    /** @param share of the steps that are done, 0 to 1 */
    fill: (share: number) => ring.setAttribute('stroke-dasharray', `${100 * share} 100`),
  };
}

function buildPanel() {
  const icon = h('div', { class: 'step-icon' });
  const instruction = h('p', { class: 'instruction', part: 'instruction', tabindex: -1 });
  const count = h('span', {});
  const time = h('span', { class: 'time', part: 'time' });
  const lines = h('div', { class: 'lines' }, instruction, h('p', { class: 'meta' }, count, time));
  const instruct: LiveScreen['instruct'] = (text, name) => {
    instruction.textContent = text;
    icon.replaceChildren(iconOf(name));
  };
  return { element: h('div', { class: 'panel', part: 'panel' }, icon, lines), count, time, instruct };
}

function iconOf(name: Step | 'good' | 'waiting'): Element {
  if (name === 'good') return markIcon('good');
  return name === 'waiting' ? h('div', { class: 'spinner' }) : stepIcon(name);
}
