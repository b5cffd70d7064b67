import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { type Engine, openEngineInThread } from '@wajah/engine';
import sharp from 'sharp';
import { drawnFace } from '../../packages/engine/test/drawn-face.ts';
import { faceUnit, flatOf, type Held, photograph } from '../../packages/engine/test/drawn-head.ts';
import { filmOf } from '../../packages/server/test/support/film.ts';

/** What stands before the camera: a head that does all a session may ask for, or a print of it that is tilted. */
export type Actor = 'head' | 'flat';

/** A picture, and for how many frames of the video it stands. */
interface Scene {
  readonly picture: Buffer;
  readonly frames: number;
}

const FRAMES_PER_SECOND = 5;
const asks = ['face left', 'eyes closed', 'face up', 'face right', 'mouth open', 'face down'];
/** Rounds in which no picture comes twice; together longer than a session lasts. */
const ROUNDS = 3;

/**
 * Draws a video for Chromium's `--use-file-for-fake-video-capture`, which plays it over and over.
 * @returns its path
 */
export async function fakeCamera(actor: Actor, folder: string): Promise<string> {
  const path = join(folder, `${actor}.y4m`);
  const cacheDir = join(tmpdir(), 'wajah-test-models');
  const engine = await openEngineInThread({ cacheDir, image: { maxBytes: 20 << 20, maxPixels: 50e6 } });
  try {
    await writeVideo(path, await (actor === 'head' ? turningHead(engine) : tiltedPrint(engine)));
    return path;
  } finally {
    await engine.close();
  }
}

/** Does everything in turn and looks to the front in between; each time it is held a little differently. */
async function turningHead(engine: Engine): Promise<Scene[]> {
  const film = await filmOf(engine, 'ani');
  const scenes: Scene[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, ask] of asks.entries()) {
      for (const [step, take, frames] of [
        ['face front', round * asks.length + i, 4],
        [ask, round, 7],
      ] as const) {
        scenes.push({ picture: Buffer.from(await film.frame(step, take), 'base64'), frames });
      }
    }
  }
  return scenes;
}

/** A print of a face, tilted in all directions, as somebody would who has nothing else. */
async function tiltedPrint(engine: Engine): Promise<Scene[]> {
  const picture = await drawnFace({ person: 'ani' });
  const { faces } = await engine.analyze(picture, { want: ['mesh'], maxFaces: 1, search: 'fast' });
  const print = await flatOf(picture, faceUnit(faces[0]!.mesh!));
  const tilts: Held[] = [{}, { yaw: 40 }, { pitch: 4, yaw: -3 }, { pitch: 38 }, { yaw: -42 }, { pitch: -38 }];
  const scenes: Scene[] = [];
  for (const tilt of tilts)
    scenes.push({ picture: await photograph(print, { away: 6, ...tilt }), frames: 8 });
  return scenes;
}

/** YUV4MPEG2: a line of text, then each frame's three planes, colours at half the size. */
async function writeVideo(path: string, scenes: readonly Scene[]): Promise<void> {
  const file = createWriteStream(path);
  const { width, height } = await sharp(scenes[0]!.picture).metadata();
  file.write(`YUV4MPEG2 W${width} H${height} F${FRAMES_PER_SECOND}:1 Ip A1:1 C420\n`);
  for (const { picture, frames } of scenes) {
    const planes = await planesOf(picture);
    for (let i = 0; i < frames; i++) {
      file.write('FRAME\n');
      file.write(planes);
    }
  }
  file.end();
  await finished(file);
}

/** BT.601 in its studio range, as video has it. */
async function planesOf(picture: Buffer): Promise<Buffer> {
  const full = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = full.info;
  const half = await sharp(picture)
    .resize(width / 2, height / 2, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer();
  const luma = Buffer.alloc(width * height);
  for (let i = 0; i < luma.length; i++) {
    const [r, g, b] = [full.data[3 * i]!, full.data[3 * i + 1]!, full.data[3 * i + 2]!];
    luma[i] = Math.round(16 + 0.257 * r + 0.504 * g + 0.098 * b);
  }
  const [blue, red] = [Buffer.alloc(luma.length / 4), Buffer.alloc(luma.length / 4)];
  for (let i = 0; i < blue.length; i++) {
    const [r, g, b] = [half[3 * i]!, half[3 * i + 1]!, half[3 * i + 2]!];
    blue[i] = Math.round(128 - 0.148 * r - 0.291 * g + 0.439 * b);
    red[i] = Math.round(128 + 0.439 * r - 0.368 * g - 0.071 * b);
  }
  return Buffer.concat([luma, blue, red]);
}
