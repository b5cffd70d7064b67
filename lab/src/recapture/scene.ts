import type { Box } from '@wajah/engine';
import type { RgbPixels } from '@wajah/engine/training';
import { between, blank, blur, type Canvas, cut, paint } from './canvas.ts';
import { type Pose, randomPose } from './pose.ts';
import type { Random } from './random.ts';

/** Presentation attack instrument that shows a face. */
export type Medium = 'screen' | 'print' | 'cut-out';

type Colour = readonly [number, number, number];

/** A picture on its medium, in coordinates of the picture: 0…width, 0…height. */
interface Sheet {
  readonly page: Canvas;
  /** Bars or margins beside the picture, and the device's rim around them, in pixels: left, right, top, bottom. */
  readonly margins: readonly [number, number, number, number];
  readonly rims: readonly [number, number, number, number];
  readonly margin: Colour;
  readonly rim: Colour;
  /** Outline of a cut-out: an ellipse of hair and chin over shoulders. */
  readonly outline: Box | null;
}

/** Renders the medium, held by fingers, in front of another picture out of focus. */
export function compose(frame: Canvas, page: Canvas, face: Box, medium: Medium, random: Random): Pose {
  const sheet = sheetOf(page, face, medium, random);
  const middle = [face.x + face.width / 2, face.y + face.height / 2] as const;
  const place = [frame.width * random.between(0.4, 0.6), frame.height * random.between(0.36, 0.62)] as const;
  const pose = randomPose(random, middle, place, Math.max(frame.width, frame.height));
  paste(frame, sheet, pose);
  if (random.chance(medium === 'cut-out' ? 0.5 : 0.6)) hands(frame, sheet, pose, random);
  return pose;
}

/** Part of a picture, out of focus, as background. */
export function behind(picture: RgbPixels, width: number, height: number, random: Random): Canvas {
  const share = random.between(0.4, 1);
  const w = picture.width * share;
  const h = Math.min(picture.height, (w * height) / width);
  const left = random.between(0, picture.width - w);
  const top = random.between(0, picture.height - h);
  const canvas = cut(picture, [left, top, w, h], width, height);
  if (random.chance(0.7)) blur(canvas, random.between(1, 6));
  const gain = random.between(0.3, 1.1);
  paint(canvas, (value) => value * gain);
  return canvas;
}

function sheetOf(page: Canvas, face: Box, medium: Medium, random: Random): Sheet {
  const unit = Math.min(page.width, page.height);
  const some = (chance: number, most: number) =>
    [0, 1, 2, 3].map(() =>
      random.chance(chance) ? random.between(0, most) * unit : 0,
    ) as never as Sheet['rims'];
  const dark = grey(random, 3, 45);
  const light = grey(random, 190, 250);
  if (medium === 'cut-out')
    return {
      page,
      margins: some(0, 0),
      rims: some(0, 0),
      margin: light,
      rim: light,
      outline: head(face, random),
    };
  if (medium === 'print') {
    const even = random.chance(0.5) ? random.between(0.01, 0.12) * unit : 0;
    return {
      page,
      margins: [even, even, even, even],
      rims: some(0, 0),
      margin: light,
      rim: light,
      outline: null,
    };
  }
  const rim = random.between(0.02, 0.1) * unit;
  const bars = random.chance(0.5) ? dark : grey(random, 60, 250);
  return {
    page,
    margins: some(0.35, 0.5),
    rims: [rim, rim, rim * random.between(1, 3), rim * random.between(1, 3)],
    margin: bars,
    rim: random.chance(0.85) ? dark : light,
    outline: null,
  };
}

function grey(random: Random, from: number, to: number): Colour {
  const tone = random.between(from, to);
  return [tone, tone * random.between(0.95, 1.04), tone * random.between(0.9, 1.1)];
}

function head({ x, y, width, height }: Box, random: Random): Box {
  const wide = width * random.between(1.2, 1.7);
  const tall = height * random.between(1.5, 2);
  return { x: x + width / 2 - wide / 2, y: y + height * 1.12 - tall, width: wide, height: tall };
}

/** Whether a point of a cut-out is paper: in the head, or in neck and shoulders below it. */
function inOutline({ x, y, width, height }: Box, u: number, v: number, grown: number): boolean {
  const dx = (u - x - width / 2) / (width / 2 + grown);
  const dy = (v - y - height / 2) / (height / 2 + grown);
  if (dx * dx + dy * dy <= 1) return true;
  const below = (v - y - height * 0.85) / height;
  return below > 0 && Math.abs(dx) < 0.55 + Math.max(0, below - 0.15) * 3;
}

function paste(frame: Canvas, sheet: Sheet, pose: Pose): void {
  const { page } = sheet;
  const where = new Float32Array(frame.width * frame.height * 2);
  for (let at = 0; at < frame.width * frame.height; at++) {
    const [u, v] = pose.toSheet(at % frame.width, Math.floor(at / frame.width));
    where[at * 2] = u;
    where[at * 2 + 1] = v;
  }
  paint(frame, (value, channel, x, y) => {
    const at = (y * frame.width + x) * 2;
    const [u, v] = [where[at]!, where[at + 1]!];
    const kind = kindAt(sheet, u, v);
    if (kind === 'picture') return between(page.planes[channel]!, page.width, page.height, u, v);
    if (kind === 'margin') return sheet.margin[channel]!;
    if (kind === 'rim') return sheet.rim[channel]!;
    return kind === 'shadow' ? value * 0.6 : value;
  });
}

function kindAt({ page, margins, rims, outline }: Sheet, u: number, v: number) {
  const beyond = [-u, u - page.width, -v, v - page.height] as const;
  if (outline) {
    if (beyond.some((by) => by > 0)) return 'nothing';
    if (inOutline(outline, u, v, 0)) return 'picture';
    return inOutline(outline, u, v, outline.width * 0.02) ? 'margin' : 'nothing';
  }
  if (beyond.every((by) => by <= 0)) return 'picture';
  if (beyond.every((by, i) => by <= margins[i]!)) return 'margin';
  if (beyond.every((by, i) => by <= margins[i]! + rims[i]!)) return 'rim';
  const cast = 0.015 * page.width;
  return beyond.every((by, i) => by <= margins[i]! + rims[i]! + cast) ? 'shadow' : 'nothing';
}

/** Fingers over an edge: shaded capsules in a skin tone. */
function hands(frame: Canvas, { page, margins, rims }: Sheet, pose: Pose, random: Random): void {
  const skin = random.between(70, 215);
  const tone: Colour = [skin, skin * random.between(0.68, 0.84), skin * random.between(0.5, 0.75)];
  const sides = random.chance(0.5) ? [0, 1] : [random.chance(0.5) ? 0 : 1];
  for (const side of sides) {
    const fingers = random.chance(0.4) ? 1 : 3;
    const thick = random.between(0.07, 0.14) * page.width;
    const start = random.between(0.3, 0.9) * page.height;
    const edge = side === 0 ? -margins[0] - rims[0] : page.width + margins[1] + rims[1];
    const inwards = side === 0 ? 1 : -1;
    for (let i = 0; i < fingers; i++) {
      const v = start + i * thick * 1.05;
      const tip = edge + inwards * random.between(0.02, 0.16) * page.width;
      const from = pose.toFrame(tip, v);
      const to = pose.toFrame(edge - inwards * page.width * 0.6, v + random.between(-0.1, 0.4) * page.width);
      capsule(frame, from, to, thick / 2, tone);
    }
  }
}

function capsule(
  frame: Canvas,
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
  radius: number,
  tone: Colour,
): void {
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const clamp = (value: number, most: number) => Math.max(0, Math.min(most, Math.round(value)));
  for (
    let y = clamp(Math.min(ay, by) - radius, frame.height);
    y < clamp(Math.max(ay, by) + radius, frame.height);
    y++
  ) {
    for (
      let x = clamp(Math.min(ax, bx) - radius, frame.width);
      x < clamp(Math.max(ax, bx) + radius, frame.width);
      x++
    ) {
      const along = Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
      const away = Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)) / radius;
      if (away >= 1) continue;
      const lit = 0.55 + 0.45 * Math.sqrt(1 - away * away);
      for (let c = 0; c < 3; c++) frame.planes[c]![y * frame.width + x] = tone[c]! * lit;
    }
  }
}

/** A uniform background, for the first picture. */
export function emptyFrame(width: number, height: number, random: Random): Canvas {
  return blank(width, height, grey(random, 20, 220));
}
