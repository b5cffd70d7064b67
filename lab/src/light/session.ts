import {
  type Engine,
  judgeLight,
  LIGHT_PALETTE,
  LIGHT_SEQUENCE_COUNT,
  type LightJudgement,
  lightSequence,
} from '@wajah/engine';
import sharp from 'sharp';
import { type Random, seeded } from '../recapture/random.ts';
import { drawCamera } from './camera.ts';
import { geometryOf } from './geometry.ts';
import { answerOf, drawScreen, lit, type Presentation } from './presentations.ts';
import { drawAmbientError, sceneOf } from './scene.ts';
import type { FrontalWindow } from './windows.ts';

/** JPEG quality of the capture element. */
const QUALITY = 90;

/**
 * Simulates the lights of a challenge on real frames and judges the result.
 * @param strength light of the white screen over the ambient light, mean over the face
 * @param seed draws sequence, room, screen and camera
 */
export async function simulateChallenge(
  engine: Pick<Engine, 'analyze'>,
  { frames }: FrontalWindow,
  presentation: Presentation,
  strength: number,
  seed: string,
): Promise<LightJudgement> {
  const random = seeded(seed);
  const drawn = drawSequence(random);
  const shown = presentation === 'wrong sequence' ? drawSequence(random) : drawn;
  const room = { relief: random.between(0.85, 1.15), behind: random.between(6, 40) };
  const screen = drawScreen(random);
  const gloss = random.between(0.05, 0.3);
  const error = drawAmbientError(random);
  const camera = drawCamera(random);
  const faces = [];
  for (const [t, { pixels, mesh }] of frames.entries()) {
    const { width, height } = pixels;
    const scene = sceneOf(pixels, geometryOf(width, height, mesh, room), error);
    const answer = answerOf(presentation, scene, screen, gloss);
    const { data } = camera.expose(lit(scene, answer, LIGHT_PALETTE[shown[t]!]!, strength), width, height);
    const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: QUALITY })
      .toBuffer();
    const analysis = await engine.analyze(jpeg, {
      attributes: ['mesh', 'colours'],
      maxFaces: 1,
      search: 'fast',
    });
    faces.push(analysis.faces[0] ?? {});
  }
  return judgeLight(faces, drawn);
}

function drawSequence(random: Random) {
  return lightSequence(Math.floor(random.between(0, LIGHT_SEQUENCE_COUNT)));
}
