import { type Box, innerProduct, type Point, similarityOf } from '@wajah/engine';
import { extractTrainingFeatures, type OpenPack, type RgbPixels } from '@wajah/engine/training';
import type { EvalFolder } from '../data/eval-folder.ts';
import { type Figure, plain, share, tally } from '../measure/figure.ts';
import type { ReportSection } from '../measure/report-section.ts';
import { type Random, seeded } from '../recapture/random.ts';
import { withProgress } from '../run/progress.ts';
import type { Card } from './cards.ts';
import { boxOf, encodePng, isOn, type Placement, paste, scaledTo } from './compose.ts';

/** Width of a composed selfie, pixels: a small one, four megapixels when it is square. */
const WIDTH = 2000;
/** Selfies of each card, with as many pictures of its owner where there are. */
const EACH = 4;
/** The service looks at so many faces, the closer look being taken where none is alike enough. */
const LOOKED = { thorough: 4, finest: 8 } as const;
/** The service's default. */
const ENOUGH = 0.6;
/** Least similarities of face and card that an operator may ask for. */
const THRESHOLDS = [0.5, 0.6, 0.7] as const;
const NARROWEST = 0.15;
const WIDEST = 0.3;
const MOST_TURNED = (15 * Math.PI) / 180;

/** A selfie in which somebody holds up a card, and what was found in it. */
interface Seen {
  /** Width of the card over that of the picture. */
  readonly share: number;
  readonly outcome: 'right' | 'no person' | 'no card' | 'person twice' | 'something else';
  /** The same, were the card's face the next largest. */
  readonly larger: Seen['outcome'];
  /** Of the two faces that were found. */
  readonly product: number | null;
}

/** Selfies with a card, composed of cards and pictures of their owners: are the right two faces compared? */
export async function selfieSections(
  pack: OpenPack,
  folder: EvalFolder,
  cards: readonly Card[],
): Promise<ReportSection[]> {
  const plans = cards.flatMap((card) =>
    card.own.slice(0, EACH).map((photo, index) => ({ card, file: photo.file, index })),
  );
  const seen: Seen[] = [];
  await withProgress('selfies', plans.length, async (step) => {
    for (const { card, file, index } of plans) {
      step();
      const random = seeded(`${card.file} ${index}`);
      const one = await seenIn(pack, folder.bytes('verification', file), card, random);
      if (one) seen.push(one);
    }
  });
  return [{ title: 'Selfies with a card (composed)', figures: figuresOf(seen, pack) }];
}

/** @returns null when the picture leaves no room for the card beside the face */
async function seenIn(pack: OpenPack, photo: Uint8Array, card: Card, random: Random): Promise<Seen | null> {
  const original = await extractTrainingFeatures(pack, photo, 'fast');
  const selfie = scaledTo(WIDTH, original.pixels);
  const scale = WIDTH / original.pixels.width;
  const { box } = original.faces[0]!;
  const person = { x: box.x * scale, y: box.y * scale, width: box.width * scale, height: box.height * scale };
  const placement = placeOf(selfie, card.pixels, random);
  if (overlaps(boxOf(placement, card.pixels), person)) return null;
  paste(selfie, card.pixels, placement);
  const bytes = await encodePng(selfie);
  const first = await facesIn(pack, bytes, 'thorough');
  const closer = first.others.length === 0 || similarityOf(pack.curve!, first.product!) < ENOUGH;
  const second = closer ? await facesIn(pack, bytes, 'finest') : first;
  const {
    person: self,
    others,
    alike,
    product,
  } = (second.product ?? -1) > (first.product ?? -1) ? second : first;
  const outcome = (other: Point | undefined) =>
    outcomeOf(
      [self, other].flatMap((one) => (one ? [one] : [])),
      (point) => isIn(person, point),
      (point) => isOn(placement, card.pixels, point),
    );
  return {
    share: placement.width / WIDTH,
    outcome: outcome(alike),
    larger: outcome(others[0]),
    product,
  };
}

/** Middles of the largest face and of the others, larger ones first; which of them is most alike, and how much. */
async function facesIn(pack: OpenPack, bytes: Uint8Array, search: keyof typeof LOOKED) {
  const picture = await extractTrainingFeatures(pack, bytes, search);
  // Boxes lie in the pixels that the engine kept.
  const kept = WIDTH / picture.pixels.width;
  const [first, ...others] = picture.faces
    .slice(0, LOOKED[search])
    .sort((a, b) => sizeOf(b.box) - sizeOf(a.box));
  const own = await first?.embedding();
  const products = await Promise.all(others.map(async (face) => innerProduct(own!, await face.embedding())));
  const middles = others.map(({ box }) => middleOf(box, kept));
  const product = products.length > 0 ? Math.max(...products) : null;
  return {
    person: first && middleOf(first.box, kept),
    others: middles,
    alike: product === null ? undefined : middles[products.indexOf(product)],
    product,
  };
}

/** In one of the lower corners, wholly in the picture. */
function placeOf(selfie: RgbPixels, card: RgbPixels, random: Random): Placement {
  const width = random.between(NARROWEST, WIDEST) * selfie.width;
  const angle = random.between(-MOST_TURNED, MOST_TURNED);
  const box = boxOf({ centre: { x: 0, y: 0 }, width, angle }, card);
  const left = random.chance(0.5);
  const x = left ? box.width / 2 : selfie.width - box.width / 2;
  return { centre: { x, y: selfie.height - box.height / 2 }, width, angle };
}

function outcomeOf(
  [first, second]: readonly Point[],
  isPerson: (point: Point) => boolean,
  isCard: (point: Point) => boolean,
): Seen['outcome'] {
  if (!first || !isPerson(first)) return 'no person';
  if (!second) return 'no card';
  if (isCard(second)) return 'right';
  return isPerson(second) ? 'person twice' : 'something else';
}

function figuresOf(seen: readonly Seen[], pack: OpenPack): Figure[] {
  const of = (outcome: Seen['outcome']) => tally(seen, (one) => one.outcome === outcome);
  const wide = seen.filter((one) => one.share >= (NARROWEST + WIDEST) / 2);
  const { curve } = pack;
  const right = seen.filter((one) => one.outcome === 'right');
  return [
    plain(
      'selfies',
      String(seen.length),
      `${WIDTH} pixels wide, card at 15–30 % of the width, rotated by up to 15°`,
    ),
    share('holder and card face selected', of('right')),
    share(
      'the same, card width of 22.5 % and more',
      tally(wide, (one) => one.outcome === 'right'),
    ),
    share('card face not detected', of('no card')),
    share('holder not selected', of('no person')),
    share('holder selected twice', of('person twice')),
    share('another face selected as the card face', of('something else')),
    share(
      'holder and card face selected, if the rule were the second largest face',
      tally(seen, (one) => one.larger === 'right'),
    ),
    ...(curve ? THRESHOLDS : []).map((least) =>
      share(
        `verified at similarity ${least} where both were selected`,
        tally(right, ({ product }) => similarityOf(curve!, product!) >= least),
      ),
    ),
  ];
}

function middleOf(box: Box, scale: number): Point {
  return { x: (box.x + box.width / 2) * scale, y: (box.y + box.height / 2) * scale };
}

function isIn(box: Box, { x, y }: Point): boolean {
  return x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height;
}

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const sizeOf = ({ width, height }: Box) => Math.min(width, height);
