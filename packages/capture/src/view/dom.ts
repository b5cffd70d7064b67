import type { Texts } from '../texts.ts';
import type { Step } from '../transport/protocol.ts';

type Child = Node | string | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Creates an HTML element, without HTML text, as Trusted Types require. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  return fill(document.createElement(name), attributes, children);
}

/** Creates an SVG element. */
export function s<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Name] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill<Of extends Element>(element: Of, attributes: Attributes, children: readonly Child[]): Of {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

export function button(text: string, attributes: Attributes, onClick: () => void): HTMLButtonElement {
  const element = h('button', { type: 'button', ...attributes }, text);
  element.addEventListener('click', onClick);
  return element;
}

/** A choice where there are several, the first of which is used. Labels are those of the browser, once it tells them. */
export function cameraChoice(
  { camera }: Pick<Texts, 'camera'>,
  cameras: readonly MediaDeviceInfo[],
  onChoose: (id: string) => void,
): HTMLSelectElement | undefined {
  if (cameras.length < 2) return undefined;
  const options = cameras.map(({ deviceId: value, label }, at) =>
    h('option', { value }, label || `${camera} ${at + 1}`),
  );
  const select = h('select', { part: 'camera', 'aria-label': camera }, ...options);
  select.addEventListener('change', () => onChoose(select.value));
  return select;
}

const stroke = {
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': 3,
  'stroke-linecap': 'round',
} as const;

/** Chevrons beside the head, mirrored: the person's left is at the left. */
const arrows: Partial<Record<Step, string>> = {
  'face left': 'M6 26 L0 32 L6 38',
  'face right': 'M58 26 L64 32 L58 38',
  'face up': 'M26 3 L32 -3 L38 3',
  'face down': 'M26 61 L32 67 L38 61',
};

/** A head that performs the step; the style sheet animates it. */
export function stepIcon(step: Step): SVGSVGElement {
  const closed = step === 'eyes closed';
  const open = step === 'mouth open';
  const eye = (x: number) =>
    closed
      ? s('path', { ...stroke, d: `M${x - 3.5} 28 q3.5 3.5 7 0`, class: 'lid' })
      : s('circle', { cx: x, cy: 28, r: 2.6, fill: 'currentColor' });
  const mouth = open
    ? s('ellipse', { cx: 32, cy: 45, rx: 5.5, ry: 5.5, fill: 'currentColor', class: 'gape' })
    : s('path', { ...stroke, d: 'M26 42 q6 4 12 0' });
  const nose = s('path', { ...stroke, 'stroke-width': 2.5, d: 'M32 29 v6' });
  const arrow = arrows[step];
  return s(
    'svg',
    { viewBox: '-4 -6 72 76', class: 'icon', 'data-step': step, 'aria-hidden': 'true' },
    s('ellipse', { ...stroke, cx: 32, cy: 32, rx: 19, ry: 24 }),
    s('g', { class: 'features' }, eye(24.5), eye(39.5), nose, mouth),
    arrow === undefined ? undefined : s('path', { ...stroke, 'stroke-width': 4, d: arrow, class: 'arrow' }),
  );
}

/** A tick, a cross or an exclamation mark in a circle. */
export function markIcon(mark: 'good' | 'bad' | 'warning'): SVGSVGElement {
  const paths = {
    good: 'M20 33 l8 8 l16 -18',
    bad: 'M23 23 l18 18 M41 23 l-18 18',
    warning: 'M32 18 v18 M32 45 v1',
  };
  return s(
    'svg',
    { viewBox: '0 0 64 64', class: `mark ${mark}`, 'aria-hidden': 'true' },
    s('circle', { cx: 32, cy: 32, r: 30, class: 'disc' }),
    s('path', { ...stroke, 'stroke-width': 5, 'stroke-linejoin': 'round', d: paths[mark] }),
  );
}
