import { between, blank, type Canvas, paint } from './canvas.ts';
import { type Pose, randomPose } from './pose.ts';
import type { Random } from './random.ts';

type Colour = readonly [number, number, number];

/** A picture on a screen, in coordinates of the picture: 0…width, 0…height. */
interface Sheet {
  readonly page: Canvas;
  /** Bars beside the picture, and the device's rim around them, in pixels: left, right, top, bottom. */
  readonly margins: readonly [number, number, number, number];
  readonly rims: readonly [number, number, number, number];
  readonly margin: Colour;
  readonly rim: Colour;
}

/** Renders the screen into a frame, held by fingers. @param middle of the face on the page */
export function compose(
  frame: Canvas,
  page: Canvas,
  middle: readonly [number, number],
  random: Random,
): void {
  const sheet = sheetOf(page, random);
  const place = [frame.width * random.between(0.4, 0.6), frame.height * random.between(0.36, 0.62)] as const;
  const pose = randomPose(random, middle, place, Math.max(frame.width, frame.height));
  paste(frame, sheet, pose);
  if (random.chance(0.6)) hands(frame, sheet, pose, random);
}

function sheetOf(page: Canvas, random: Random): Sheet {
  const unit = Math.min(page.width, page.height);
  const dark = grey(random, 3, 45);
  const light = grey(random, 190, 250);
  const rim = random.between(0.02, 0.1) * unit;
  const bar = random.chance(0.5) ? dark : grey(random, 60, 250);
  const bars = [0, 1, 2, 3].map(() => (random.chance(0.35) ? random.between(0, 0.5) * unit : 0));
  return {
    page,
    margins: bars as never as Sheet['margins'],
    rims: [rim, rim, rim * random.between(1, 3), rim * random.between(1, 3)],
    margin: bar,
    rim: random.chance(0.85) ? dark : light,
  };
}

function grey(random: Random, from: number, to: number): Colour {
  const tone = random.between(from, to);
  return [tone, tone * random.between(0.95, 1.04), tone * random.between(0.9, 1.1)];
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

function kindAt({ page, margins, rims }: Sheet, u: number, v: number) {
  const beyond = [-u, u - page.width, -v, v - page.height] as const;
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

/** A uniform background. */
export function emptyFrame(width: number, height: number, random: Random): Canvas {
  return blank(width, height, grey(random, 20, 220));
}
