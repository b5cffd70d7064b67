import type { PadNetworks } from '../runtime/model.ts';
import { sigmoid } from '../stages/maths.ts';
import type { LightMeasures } from '../stages/quality.ts';
import type { SpoofEstimate } from '../types.ts';
import { unclearReasons } from './clarity.ts';
import { closeOdds, MOST, nearOdds, type PadFace, type PadOdds, TIGHT } from './networks.ts';
import { UNCLEAR_SPOOF_THRESHOLD } from './thresholds.ts';

/**
 * Weight of the near network, which looks at the surroundings too, in a tight crop and from that `room` on; the rest is the
 * close one's.
 */
const NEAR = { tight: 0.3, open: 0.7, room: 1.6 } as const;

/** Score of even odds: nothing is known. */
const EVEN = 0.5;

/**
 * Judges a presentation. Without networks nothing is known of it: even odds. Beyond the picture the close crop is mirrored, as in
 * the training of its network; beyond a tight crop, where that repeats half a face, it is black.
 */
export async function estimateSpoof(
  networks: PadNetworks | null,
  face: PadFace,
  light: LightMeasures,
): Promise<SpoofEstimate> {
  const isCrop = face.room < TIGHT;
  const unclear = (tight: boolean) => unclearReasons(face, light, tight);
  if (networks === null) return { score: EVEN, networks: [], unclear: unclear(isCrop) };
  const close = await closeOdds(networks.close, face, isCrop ? 'black' : 'mirrored');
  const odds = { near: await nearOdds(networks.near, face), close };
  return {
    score: scoreOf(odds, face.room),
    networks: [
      { name: 'near', score: sigmoid(odds.near) },
      { name: 'close', score: sigmoid(odds.close) },
    ],
    unclear: unclear(isCrop || (await hangsOnBorder(networks, face, odds))),
  };
}

/**
 * Whether a face that is rather bona fide with a mirrored border would be an attack, of an unclear capture too, with a black
 * one, as sharp prints that fill the picture are. The close network is run again only where its answer may decide.
 */
async function hangsOnBorder(networks: PadNetworks, face: PadFace, odds: PadOdds): Promise<boolean> {
  const isAttack = (close: number) => scoreOf({ ...odds, close }, face.room) >= UNCLEAR_SPOOF_THRESHOLD;
  if (scoreOf(odds, face.room) >= EVEN || !isAttack(MOST)) return false;
  return isAttack(await closeOdds(networks.close, face, 'black'));
}

/**
 * The mean of the log odds of both networks, weighted by how much of the surroundings the picture shows, as a score.
 * @param room see `PadFace`
 */
export function scoreOf({ near, close }: PadOdds, room: number): number {
  const share = Math.max(0, Math.min(1, (room - TIGHT) / (NEAR.room - TIGHT)));
  const weight = NEAR.tight + share * (NEAR.open - NEAR.tight);
  return sigmoid(weight * near + (1 - weight) * close);
}
