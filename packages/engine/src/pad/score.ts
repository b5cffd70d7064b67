import type { PadNetworks } from '../runtime/model.ts';
import { sigmoid } from '../stages/maths.ts';
import type { SpoofEstimate } from '../types.ts';
import { headBox } from './crops.ts';
import { measurePad, type PadFace, type PadOdds } from './networks.ts';

/**
 * Room of a picture, its shorter side over the longer side of the head's box: up to `none` it is a tight crop, from `all` on
 * it shows what is around the head.
 */
const ROOM = { none: 1.2, all: 1.6 } as const;
/** Weight of the pair, which looks at the surroundings too, with and without them; the rest is the close network's. */
const PAIR = { withRoom: 0.7, without: 0.3 } as const;

/** Judges a presentation. Without networks nothing is known of it: even odds. */
export async function estimateSpoof(
  networks: PadNetworks | null,
  face: PadFace,
): Promise<Omit<SpoofEstimate, 'unclear'>> {
  if (networks === null) return { score: 0.5, networks: [] };
  const odds = await measurePad(networks, face);
  const { width, height } = headBox(face.box);
  const room = Math.min(face.from.width, face.from.height) / Math.max(width, height, 1);
  return {
    score: sigmoid(scoreOdds(odds, room)),
    networks: [
      { name: 'pair', score: sigmoid(odds.pair) },
      { name: 'close', score: sigmoid(odds.close) },
    ],
  };
}

/**
 * Log odds of an attack: the mean of both kinds of networks, weighted by how much of the surroundings the picture shows. Of a
 * tight crop the close network judges the black border.
 * @param room shorter side of the picture over the longer side of the head's box
 */
export function scoreOdds({ pair, close, closeOnBlack }: PadOdds, room: number): number {
  const share = Math.max(0, Math.min(1, (room - ROOM.none) / (ROOM.all - ROOM.none)));
  const withRoom = PAIR.withRoom * pair + (1 - PAIR.withRoom) * close;
  const without = PAIR.without * pair + (1 - PAIR.without) * closeOnBlack;
  return share * withRoom + (1 - share) * without;
}
