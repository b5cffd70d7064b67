import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Engine } from '@wajah/engine';
import sharp from 'sharp';
import { type DrawnFaceOptions, drawnFace, PERSONS } from '../../packages/engine/test/drawn/drawn-face.ts';
import {
  type CameraPlacement,
  faceUnit,
  flatOf,
  headOf,
  photograph,
  type Subject,
} from '../../packages/engine/test/drawn/drawn-head.ts';
import { sharedEngine } from '../../packages/engine/test/support/shared-engine.ts';
import { uneven } from '../../packages/engine/test/support/uneven.ts';

/** The subject of the video: a head that performs every step, or a tilted print of it. */
export type Actor = 'head' | 'flat';

/** A picture and the number of video frames that show it. */
interface Scene {
  readonly picture: Buffer;
  readonly frames: number;
}

const FRAMES_PER_SECOND = 5;
const size = { width: 400, height: 500 };

const steps: readonly [step: string, held: CameraPlacement][] = [
  ['face left', { yaw: 27 }],
  ['eyes closed', { pitch: -3 }],
  ['face up', { pitch: 22 }],
  ['face right', { yaw: -27 }],
  ['mouth open', { pitch: -3 }],
  ['face down', { pitch: -26 }],
];
/** Rounds without a repeated picture. A session must end before the video repeats. */
const ROUNDS = 4;
/**
 * Frontal poses that differ enough to be distinct frames: drawings have no noise, so they need about 6° or other
 * eyebrows.
 */
const fronts: readonly CameraPlacement[] = [-11, -4, 3].flatMap((pitch) =>
  [-7, 0, 7].map((yaw) => ({ yaw, pitch })),
);
const brows = [PERSONS.ani.browHigh, 29, 15];

/**
 * Draws a video for Chromium's `--use-file-for-fake-video-capture`, which repeats it.
 * @returns its path
 */
export async function fakeCamera(actor: Actor, folder: string): Promise<string> {
  const path = join(folder, `${actor}.y4m`);
  const engine = await sharedEngine();
  await writeVideo(path, await (actor === 'head' ? turningHead(engine) : tiltedPrint(engine)));
  return path;
}

/** Performs the steps in turn with a frontal pose between them, each time in a slightly different pose. */
async function turningHead(engine: Engine): Promise<Scene[]> {
  const head = async (look: DrawnFaceOptions, browHigh: number = PERSONS.ani.browHigh) => {
    const drawn = await drawnFace({ ...size, person: { ...PERSONS.ani, browHigh }, ...look });
    const picture = await uneven(drawn);
    return headOf(picture, await meshOf(engine, picture));
  };
  const calm = await Promise.all(brows.map((high) => head({}, high)));
  const doing: Record<string, Subject> = {
    'eyes closed': await head({ leftEye: 'closed', rightEye: 'closed' }),
    'mouth open': await head({ mouth: 'open' }),
  };
  const scenes: Scene[] = [];
  for (let i = 0; i < ROUNDS * steps.length; i++) {
    const front = fronts[(i * 4) % fronts.length]!;
    scenes.push({ picture: await photograph(calm[Math.floor(i / fronts.length)]!, front), frames: 4 });
    const [step, held] = steps[i % steps.length]!;
    const moved = {
      ...turnedBy(held, Math.floor(i / steps.length)),
      roll: 5 * Math.sin(i),
      x: 6 * Math.cos(i),
    };
    scenes.push({ picture: await photograph(doing[step] ?? calm[0]!, moved), frames: 7 });
  }
  return scenes;
}

/** A slightly different pose in each round. */
function turnedBy({ yaw = 0, pitch = 0 }: CameraPlacement, round: number): CameraPlacement {
  const [sideways, upright] = [Math.cos(1.6 * round), Math.sin(1.6 * round)];
  return { yaw: yaw + 6 * sideways, pitch: pitch + 5 * upright, away: 8 + round / 2 };
}

async function meshOf(engine: Engine, picture: Buffer): Promise<Float32Array> {
  const { faces } = await engine.analyze(picture, { attributes: ['mesh'], maxFaces: 1, search: 'fast' });
  const mesh = faces[0]?.mesh;
  if (!mesh) throw new Error('no face was found in a drawn picture');
  return mesh;
}

/** A print of a face, tilted in all directions: a print attack. */
async function tiltedPrint(engine: Engine): Promise<Scene[]> {
  const picture = await drawnFace({ ...size, person: 'ani' });
  const print = await flatOf(picture, faceUnit(await meshOf(engine, picture)));
  const tilts: CameraPlacement[] = [
    {},
    { yaw: 40 },
    { pitch: 4, yaw: -3 },
    { pitch: 38 },
    { yaw: -42 },
    { pitch: -38 },
  ];
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
