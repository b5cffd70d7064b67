import type { Texts } from '../texts.ts';
import type { Step } from '../transport/protocol.ts';
import { button, cameraChoice, h, markIcon, s, stepIcon } from './dom.ts';

/** The screen while a session runs. */
export type LiveScreen = ReturnType<typeof liveScreen>;

export function liveScreen(texts: Texts, actions: { cancel(): void; use(camera: string): void }) {
  const stage = buildStage(texts);
  const panel = buildPanel();
  const cancel = button(texts.cancel, { class: 'secondary cancel', part: 'button cancel' }, actions.cancel);
  const buttons = h('div', { class: 'buttons' }, cancel);
  return {
    element: h('div', { class: 'live' }, panel.element, stage.element, buttons),
    video: stage.video,
    offerCameras: (cameras: readonly MediaDeviceInfo[]) =>
      buttons.append(cameraChoice(texts, cameras, actions.use) ?? ''),
    instruct(text: string, name: Step | 'waiting') {
      panel.instruct(text, name);
      stage.point(name);
    },
    /** A line at the top of the video, which is next to the lens; empty for none. */
    hint: stage.hint,
    /** A picture of a movement over the video; undefined for none. */
    demonstrate: stage.demonstrate,
    /** A number over the video; empty for none. */
    countdown: stage.countdown,
    /** @param done steps that are done */
    progress(done: number, total: number, text: string) {
      stage.fill(total === 0 ? 0 : done / total);
      panel.count.textContent = text;
    },
    time(text: string) {
      panel.time.textContent = text;
    },
    /** Shows for a moment that a step is done, while the next one is read. */
    tick: stage.tick,
    /** Makes everything around the oval white, so that the screen lights the face. */
    lightFace: () => stage.element.parentElement?.classList.add('lit'),
    /** Hides the video: before it plays, and when the camera is off. */
    hideVideo: (on: boolean) => stage.element.classList.toggle('off', on),
    judging: stage.judging,
  };
}

function buildPanel() {
  const icon = h('div', { class: 'step-icon' });
  const instruction = h('p', { class: 'instruction', part: 'instruction', tabindex: -1 });
  const count = h('span', {});
  const time = h('span', { class: 'time', part: 'time' });
  const lines = h('div', { class: 'lines' }, instruction, h('p', { class: 'meta' }, count, time));
  const instruct = (text: string, name: Step | 'waiting') => {
    instruction.textContent = text;
    icon.replaceChildren(iconOf(name));
  };
  return { element: h('div', { class: 'panel', part: 'panel' }, icon, lines), count, time, instruct };
}

function iconOf(name: Step | 'waiting'): Element {
  return name === 'waiting' ? h('div', { class: 'spinner' }) : stepIcon(name);
}

/**
 * The guide in a box of 300 × 400, which is scaled to lie within the stage; a hint of two lines fits above it. A head that fills
 * it leaves the room around it that the server needs for a verdict on spoof.
 */
const oval = { cx: 150, cy: 216, rx: 88, ry: 118 } as const;
/** Everything around the oval, beyond the edges of any stage. */
const scrim =
  `M-4000 -4000H4300V4400H-4000Z M${oval.cx - oval.rx} ${oval.cy}` +
  `a${oval.rx} ${oval.ry} 0 1 0 ${2 * oval.rx} 0a${oval.rx} ${oval.ry} 0 1 0 ${-2 * oval.rx} 0Z`;
/** The rim of the oval, clockwise from the top. */
const track =
  `M${oval.cx} ${oval.cy - oval.ry}` +
  `a${oval.rx} ${oval.ry} 0 1 1 0 ${2 * oval.ry}a${oval.rx} ${oval.ry} 0 1 1 0 ${-2 * oval.ry}`;

/** An arrow across the rim of the oval; the preview is mirrored, so the person's left is at the left. */
const pointers: Partial<Record<string, string>> = {
  'face left': `M${oval.cx - oval.rx + 4} ${oval.cy - 24}l-24 24l24 24`,
  'face right': `M${oval.cx + oval.rx - 4} ${oval.cy - 24}l24 24l-24 24`,
  'face up': `M${oval.cx - 24} ${oval.cy - oval.ry + 32}l24 -24l24 24`,
  'face down': `M${oval.cx - 24} ${oval.cy + oval.ry - 32}l24 24l24 -24`,
};

/** Milliseconds for which it is shown that a step is done. */
const TICK_MS = 550;

/** The video with the oval and what is shown over it. */
function buildStage(texts: Texts) {
  const video = h('video', {
    playsinline: true,
    muted: true,
    part: 'video',
    'aria-label': texts.previewLabel,
  });
  video.muted = true;
  const guide = buildGuide();
  const hint = h('p', { class: 'hint', part: 'hint', hidden: true });
  const countdown = h('p', { class: 'number', 'aria-hidden': 'true', hidden: true });
  const movement = h('div', { class: 'movement', part: 'movement', 'aria-hidden': 'true', hidden: true });
  const judging = buildJudging();
  const tick = h('div', { class: 'ticked' }, markIcon('good'));
  const shown = [video, guide.element, countdown, movement, tick, hint, judging.element];
  const element = h('div', { class: 'stage', part: 'stage' }, ...shown);
  const show = (line: HTMLElement) => (text: string) => {
    line.hidden = text === '';
    line.textContent = text;
  };
  return {
    element,
    video,
    tick: createTick(element),
    hint: show(hint),
    point: guide.point,
    countdown: show(countdown),
    demonstrate(step: Step | undefined) {
      movement.hidden = step === undefined;
      if (step !== undefined) movement.replaceChildren(h('p', {}, texts.likeThis), stepIcon(step));
    },
    judging: judging.show,
    fill: guide.fill,
  };
}

function createTick(stage: HTMLElement) {
  let shown: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(shown);
    stage.classList.add('seen');
    shown = setTimeout(() => stage.classList.remove('seen'), TICK_MS);
  };
}

/** The oval, with what is done of a session around it. */
function buildGuide() {
  const ring = s('path', { d: track, class: 'done', pathLength: 100, 'stroke-dasharray': '0 100' });
  const pointer = s('path', { class: 'pointer' });
  const element = s(
    'svg',
    { viewBox: '0 0 300 400', class: 'guide', 'aria-hidden': 'true' },
    s('path', { d: scrim, class: 'scrim', 'fill-rule': 'evenodd' }),
    s('ellipse', { ...oval, class: 'rim' }),
    ring,
    pointer,
  );
  return {
    element,
    /** Shows at the face where it turns to. */
    point: (name: string) => pointer.setAttribute('d', pointers[name] ?? ''),
    /** @param share of the steps that are done, 0 to 1 */
    fill: (share: number) => ring.setAttribute('stroke-dasharray', `${100 * share} 100`),
  };
}

/** What stands in the place of the video while the camera is off. */
function buildJudging() {
  const bar = h('progress', { max: 1 });
  const text = h('p', { 'aria-hidden': 'true' });
  const element = h('div', { class: 'judging', part: 'progress', hidden: true }, bar, text);
  return {
    element,
    /**
     * Progress in the place of the video, which is hidden.
     * @param share that is done, 0 to 1; undefined: not known
     * @param label for screen readers
     * @param line below it; empty for none
     */
    show(share: number | undefined, label: string, line: string) {
      element.hidden = false;
      if (share === undefined) bar.removeAttribute('value');
      else bar.value = share;
      bar.setAttribute('aria-label', label);
      text.textContent = line;
    },
  };
}
