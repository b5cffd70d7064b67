import type { PadNetworks } from '../runtime/model.ts';
import { sigmoid } from '../stages/maths.ts';
import type { SpoofEstimate } from '../types.ts';
import { measurePad, type PadFace, type PadOdds, shareOfRoom } from './networks.ts';

/** Weight of the pair, which looks at the surroundings too, with and without them; the rest is the close network's. */
const PAIR = { withRoom: 0.7, without: 0.3 } as const;

/** Judges a presentation. Without networks nothing is known of it: even odds. */
export async function estimateSpoof(
  networks: PadNetworks | null,
  face: PadFace,
): Promise<Omit<SpoofEstimate, 'unclear'>> {
  if (networks === null) return { score: 0.5, networks: [] };
  const odds = await measurePad(networks, face);
  return {
    score: sigmoid(scoreOdds(odds, face.room)),
    networks: [
      { name: 'pair', score: sigmoid(odds.pair) },
      { name: 'close', score: sigmoid(odds.close) },
    ],
  };
}

/**
 * Log odds of an attack: the mean of both kinds of networks, weighted by how much of the surroundings the picture shows.
 * @param room see `PadFace`
 */
export function scoreOdds({ pair, close }: PadOdds, room: number): number {
  const weight = PAIR.without + shareOfRoom(room) * (PAIR.withRoom - PAIR.without);
  return weight * pair + (1 - weight) * close;
}
