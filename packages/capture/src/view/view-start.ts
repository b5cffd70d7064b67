import type { Texts } from '../texts/texts.ts';
import { button, h } from './dom.ts';
import { stepIcon } from './icons.ts';

/** What is seen before the camera is asked for. */
export function startScreen(texts: Texts, onStart: () => void): HTMLElement {
  return h(
    'div',
    { class: 'screen start', part: 'start-screen' },
    h('div', { class: 'figure' }, stepIcon('face front')),
    h('h2', { tabindex: -1, class: 'title', part: 'title' }, texts.title),
    h('p', { class: 'lead' }, texts.intro),
    h('ul', { class: 'tips' }, ...texts.tips.map((tip) => h('li', {}, tip))),
    button(texts.start, { class: 'primary', part: 'button start' }, onStart),
    h('p', { class: 'small' }, texts.privacy),
  );
}
