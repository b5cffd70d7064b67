import type { Texts } from '../texts/texts.ts';
import type { Step } from '../transport/protocol.ts';
import { button, h } from './dom.ts';
import { markIcon, stepIcon } from './icons.ts';
import { buildStage } from './stage.ts';

/** The screen while a session runs. */
export interface LiveScreen {
  readonly element: HTMLElement;
  readonly video: HTMLVideoElement;
  instruct(text: string, icon: Step | 'good' | 'waiting'): void;
  /** A line over the video; empty for none. */
  hint(text: string): void;
  /** A picture of a movement over the video; undefined for none. */
  demonstrate(step: Step | undefined): void;
  /** A number over the video; empty for none. */
  countdown(text: string): void;
  /** @param done steps that are done */
  progress(done: number, total: number, text: string): void;
  time(text: string): void;
  /** Highlights the oval, when a step is done. */
  highlight(on: boolean): void;
  /** Hides the video: before it plays, and when the camera is off. */
  hideVideo(on: boolean): void;
  /**
   * Progress in the place of the video, which is hidden.
   * @param share that is done, 0 to 1; undefined: not known
   * @param label for screen readers
   * @param text below it; empty for none
   */
  judging(share: number | undefined, label: string, text: string): void;
  /** Fills the whole page with a colour, `#rrggbb`; undefined: with none. */
  light(colour: string | undefined): void;
}

export function liveScreen(texts: Texts, onCancel: () => void): LiveScreen {
  const stage = buildStage(texts);
  const panel = buildPanel();
  const cover = h('div', { class: 'cover', part: 'light', hidden: true });
  const cancel = button(texts.cancel, { class: 'secondary cancel', part: 'button cancel' }, onCancel);
  return {
    element: h('div', { class: 'live' }, panel.element, stage.element, cancel, cover),
    video: stage.video,
    instruct: panel.instruct,
    hint: stage.hint,
    demonstrate: stage.demonstrate,
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
    judging: stage.judging,
    light(colour) {
      cover.hidden = colour === undefined;
      if (colour !== undefined) cover.style.backgroundColor = colour;
    },
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
