import type { Texts } from '../texts/texts.ts';
import type { Step } from '../transport/protocol.ts';
import { h, s } from './dom.ts';
import { stepIcon } from './icons.ts';

/** The guide in a box of 300 × 400, which is scaled to lie within the stage; a hint of two lines fits below it. */
const oval = { cx: 150, cy: 178, rx: 106, ry: 142 } as const;
/** Everything around the oval, beyond the edges of any stage. */
const scrim =
  `M-4000 -4000H4300V4400H-4000Z M${oval.cx - oval.rx} ${oval.cy}` +
  `a${oval.rx} ${oval.ry} 0 1 0 ${2 * oval.rx} 0a${oval.rx} ${oval.ry} 0 1 0 ${-2 * oval.rx} 0Z`;
/** The rim of the oval, clockwise from the top. */
const track =
  `M${oval.cx} ${oval.cy - oval.ry}` +
  `a${oval.rx} ${oval.ry} 0 1 1 0 ${2 * oval.ry}a${oval.rx} ${oval.ry} 0 1 1 0 ${-2 * oval.ry}`;

/** The video with the oval and what is shown over it. */
export function buildStage(texts: Texts) {
  const video = h('video', {
    playsinline: true,
    muted: true,
    part: 'video',
    'aria-label': texts.previewLabel,
  });
  video.muted = true;
  const ring = s('path', { d: track, class: 'done', pathLength: 100, 'stroke-dasharray': '0 100' });
  const guide = s(
    'svg',
    { viewBox: '0 0 300 400', class: 'guide', 'aria-hidden': 'true' },
    s('path', { d: scrim, class: 'scrim', 'fill-rule': 'evenodd' }),
    s('ellipse', { ...oval, class: 'rim' }),
    ring,
  );
  const hint = h('p', { class: 'hint', part: 'hint', hidden: true });
  const countdown = h('p', { class: 'number', 'aria-hidden': 'true', hidden: true });
  const movement = h('div', { class: 'movement', part: 'movement', 'aria-hidden': 'true', hidden: true });
  const judging = buildJudging();
  const show = (line: HTMLElement) => (text: string) => {
    line.hidden = text === '';
    line.textContent = text;
  };
  return {
    element: h(
      'div',
      { class: 'stage', part: 'stage' },
      ...[video, guide, countdown, movement, hint, judging.element],
    ),
    video,
    hint: show(hint),
    countdown: show(countdown),
    demonstrate(step: Step | undefined) {
      movement.hidden = step === undefined;
      if (step !== undefined) movement.replaceChildren(h('p', {}, texts.likeThis), stepIcon(step));
    },
    judging: judging.show,
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
    show(share: number | undefined, label: string, line: string) {
      element.hidden = false;
      if (share === undefined) bar.removeAttribute('value');
      else bar.value = share;
      bar.setAttribute('aria-label', label);
      text.textContent = line;
    },
  };
}
