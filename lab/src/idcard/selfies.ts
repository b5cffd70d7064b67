import { type Box, comparisonSimilarityOf, type Point } from '@wajah/engine';
import { extractTrainingFeatures, type OpenPack, type RgbPixels } from '@wajah/engine/training';
import type { EvalFolder } from '../data/eval-folder.ts';
import { type Figure, plain, type ReportSection, share, tally } from '../measure/figure.ts';
import { type Random, seeded } from '../recapture/random.ts';
import { withProgress } from '../run/progress.ts';
import type { Card } from './cards.ts';
import { boxOf, encodePng, isOn, type Placement, paste, scaledTo } from './compose.ts';

/** Width of a composed selfie in pixels. */
const WIDTH = 2000;
/** Most selfies of a card, each with another picture of its holder. */
const EACH = 4;
/** Faces that the service compares. */
const MAX_FACES = 8;
/** The service's default of `minimum_similarity`: below it the service looks closer. */
const DEFAULT_MINIMUM = 0.6;
/** Similarity thresholds that an operator may set. */
const THRESHOLDS = [0.5, 0.6, 0.7] as const;
const MIN_CARD_WIDTH = 0.15;
const MAX_CARD_WIDTH = 0.3;
const MAX_ROTATION = (15 * Math.PI) / 180;

/** A composed selfie with a card, and the faces that were selected. */
interface SelfieResult {
  /** Width of the card over that of the picture. */
  readonly share: number;
  readonly outcome: 'correct' | 'holder missed' | 'card missed' | 'holder twice' | 'other face';
  /** Outcome if the rule were the second largest face. */
  readonly secondLargest: SelfieResult['outcome'];
  /** Similarity of the two selected faces. */
  readonly similarity: number | null;
}

/** Composes selfies of cards and pictures of their holders, and counts in how many both faces are selected correctly. */
export async function selfieSections(
  pack: OpenPack,
  folder: EvalFolder,
  cards: readonly Card[],
): Promise<ReportSection[]> {
  const plans = cards.flatMap((card) =>
    card.own.slice(0, EACH).map((photo, index) => ({ card, file: photo.file, index })),
  );
  const results: SelfieResult[] = [];
  await withProgress('selfies', plans.length, async (step) => {
    for (const { card, file, index } of plans) {
      step();
      const random = seeded(`${card.file} ${index}`);
      const one = await evaluateSelfie(pack, folder.bytes('verification', file), card, random);
      if (one) results.push(one);
    }
  });
  return [{ title: 'Selfies with a card (composed)', figures: figuresOf(results) }];
}

/** @returns null when the picture leaves no room for the card beside the face */
async function evaluateSelfie(
  pack: OpenPack,
  photo: Uint8Array,
  card: Card,
  random: Random,
): Promise<SelfieResult | null> {
  const original = await extractTrainingFeatures(pack, photo, 'fast');
  const selfie = scaledTo(WIDTH, original.pixels);
  const scale = WIDTH / original.pixels.width;
  const { box } = original.faces[0]!;
  const person = { x: box.x * scale, y: box.y * scale, width: box.width * scale, height: box.height * scale };
  const placement = placeOf(selfie, card.pixels, random);
  if (overlaps(boxOf(placement, card.pixels), person)) return null;
  paste(selfie, card.pixels, placement);
  const bytes = await encodePng(selfie);
  const first = await facesIn(pack, bytes, 'card');
  const closer = first.similarity !== null && first.similarity < DEFAULT_MINIMUM;
  const second = closer ? await facesIn(pack, bytes, 'closer') : first;
  const {
    person: self,
    others,
    best,
    similarity,
  } = (second.similarity ?? -1) > (first.similarity ?? -1) ? second : first;
  const outcome = (other: Point | undefined) =>
    outcomeOf(
      [self, other].flatMap((one) => (one ? [one] : [])),
      (point) => isIn(person, point),
      (point) => isOn(placement, card.pixels, point),
    );
  return {
    share: placement.width / WIDTH,
    outcome: outcome(best),
    secondLargest: outcome(others[0]),
    similarity,
  };
}

/** Centres of the largest face and of the others, by size, and the one that is the most similar to the largest. */
async function facesIn(pack: OpenPack, bytes: Uint8Array, search: 'card' | 'closer') {
  const picture = await extractTrainingFeatures(pack, bytes, search);
  // Boxes are in the pixels of the decoded picture.
  const scale = WIDTH / picture.pixels.width;
  const [first, ...others] = picture.faces.slice(0, MAX_FACES).sort((a, b) => sizeOf(b.box) - sizeOf(a.box));
  const own = await first?.embedding();
  const similarities = await Promise.all(
    others.map(async (face) => comparisonSimilarityOf(pack.curve!, own!, await face.embedding())),
  );
  const centres = others.map(({ box }) => centreOf(box, scale));
  const similarity = similarities.length > 0 ? Math.max(...similarities) : null;
  return {
    person: first && centreOf(first.box, scale),
    others: centres,
    best: similarity === null ? undefined : centres[similarities.indexOf(similarity)],
    similarity,
  };
}

/** A random placement in one of the lower corners, wholly in the picture. */
function placeOf(selfie: RgbPixels, card: RgbPixels, random: Random): Placement {
  const width = random.between(MIN_CARD_WIDTH, MAX_CARD_WIDTH) * selfie.width;
  const angle = random.between(-MAX_ROTATION, MAX_ROTATION);
  const box = boxOf({ centre: { x: 0, y: 0 }, width, angle }, card);
  const left = random.chance(0.5);
  const x = left ? box.width / 2 : selfie.width - box.width / 2;
  return { centre: { x, y: selfie.height - box.height / 2 }, width, angle };
}

function outcomeOf(
  [first, second]: readonly Point[],
  isPerson: (point: Point) => boolean,
  isCard: (point: Point) => boolean,
): SelfieResult['outcome'] {
  if (!first || !isPerson(first)) return 'holder missed';
  if (!second) return 'card missed';
  if (isCard(second)) return 'correct';
  return isPerson(second) ? 'holder twice' : 'other face';
}

function figuresOf(results: readonly SelfieResult[]): Figure[] {
  const of = (outcome: SelfieResult['outcome']) => tally(results, (one) => one.outcome === outcome);
  const wide = results.filter((one) => one.share >= (MIN_CARD_WIDTH + MAX_CARD_WIDTH) / 2);
  const right = results.filter((one) => one.outcome === 'correct');
  return [
    plain(
      'selfies',
      String(results.length),
      `${WIDTH} pixels wide, card at 15–30 % of the width, rotated by up to 15°`,
    ),
    share('holder and card face selected', of('correct')),
    share(
      'the same, card width of 22.5 % and more',
      tally(wide, (one) => one.outcome === 'correct'),
    ),
    share('card face not detected', of('card missed')),
    share('holder not selected', of('holder missed')),
    share('holder selected twice', of('holder twice')),
    share('another face selected as the card face', of('other face')),
    share(
      'holder and card face selected, if the rule were the second largest face',
      tally(results, (one) => one.secondLargest === 'correct'),
    ),
    ...THRESHOLDS.map((least) =>
      share(
        `verified at similarity ${least} where both were selected`,
        tally(right, ({ similarity }) => similarity! >= least),
      ),
    ),
  ];
}

function centreOf(box: Box, scale: number): Point {
  return { x: (box.x + box.width / 2) * scale, y: (box.y + box.height / 2) * scale };
}

function isIn(box: Box, { x, y }: Point): boolean {
  return x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height;
}

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const sizeOf = ({ width, height }: Box) => Math.min(width, height);
