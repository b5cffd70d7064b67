import type { PadNetworks } from '../runtime/model.ts';
import { sigmoid } from '../stages/maths.ts';
import type { SpoofEstimate } from '../types.ts';
import { measurePad, type PadFace, type PadOdds, shareOfRoom } from './networks.ts';

/** Weight of the near network, which looks at the surroundings too, with and without them; the rest is the close one's. */
const NEAR = { withRoom: 0.7, without: 0.3 } as const;

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
      { name: 'near', score: sigmoid(odds.near) },
      { name: 'close', score: sigmoid(odds.close) },
    ],
  };
}

/**
 * Log odds of an attack: the mean of both networks, weighted by how much of the surroundings the picture shows.
 * @param room see `PadFace`
 */
export function scoreOdds({ near, close }: PadOdds, room: number): number {
  const weight = NEAR.without + shareOfRoom(room) * (NEAR.withRoom - NEAR.without);
  return weight * near + (1 - weight) * close;
}
