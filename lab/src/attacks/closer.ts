import { between, blank, type Canvas } from '../recapture/canvas.ts';
import type { Random } from '../recapture/random.ts';
import { type Look, photographed } from './camera.ts';
import { flatRelief, reliefOf, turned } from './relief.ts';
import type { Still } from './still.ts';

/** What comes closer: a head in relief, a picture that is held straight, tilted in each frame, or bent to a cylinder. */
export const KINDS = ['head', 'flat', 'tilted', 'bent'] as const;
export type Kind = (typeof KINDS)[number];

/** Frames before and after, JPEG. */
export interface RenderedSession {
  readonly far: readonly Buffer[];
  readonly near: readonly Buffer[];
}

/** Frames of each distance. */
const FRAMES = 2;
/** Width of a face, and distance of its front from the centre that a head turns about, centimetres. */
const FACE = { width: 14.1, front: 13.2 } as const;
/** Distance at which a still is shown in its own size, centimetres. */
const OWN = 38;

/** @param still of the next frame */
export async function renderSession(
  still: () => Still,
  kind: Kind,
  random: Random,
): Promise<RenderedSession> {
  const distance = random.between(38, 53);
  const times = random.between(1.75, 2.2);
  const lens = random.chance(0.5) ? random.between(-0.12, 0.04) : 0;
  const shape = { kind, gain: random.between(0.9, 1.2), bend: random.between(0.1, 0.5), lens };
  const take = async (away: number) => {
    const frames: Buffer[] = [];
    for (let i = 0; i < FRAMES; i++) {
      frames.push(await renderFrame(still(), shape, away * random.between(0.97, 1.03), random));
    }
    return frames;
  };
  return { far: await take(distance), near: await take(distance / times) };
}

interface Shape {
  readonly kind: Kind;
  /** Depth of a head over that of its mesh. */
  readonly gain: number;
  /** Depth of bent paper a face's width beside its middle, over that width. */
  readonly bend: number;
  /** Radial distortion at the corner of the picture, a share. */
  readonly lens: number;
}

/** @param distance from the camera to the face, centimetres */
async function renderFrame(
  still: Still,
  { kind, gain, bend, lens }: Shape,
  distance: number,
  random: Random,
) {
  const isHead = kind === 'head';
  const relief = isHead ? reliefOf(still, gain) : flatRelief(still, kind === 'bent' ? bend : 0);
  const behind = isHead ? FACE.front : 0;
  const jitter = (most: number) => random.between(-most, most);
  const tilt = kind === 'tilted' ? 22 : 5;
  const canvas = turned(still.canvas, relief, {
    yaw: jitter(tilt),
    pitch: jitter(tilt),
    roll: jitter(3),
    zoom: (OWN + behind) / (distance + behind),
    x: jitter(8),
    y: jitter(8),
    away: (distance + behind) / FACE.width,
  });
  const look: Look = {
    noise: random.between(1, 3.5),
    blur: random.between(0, 1),
    light: 0.1,
    relit: isHead ? random.between(0, 0.15) : 0,
    shadow: random.chance(0.5) ? random.between(0, 0.15) : 0,
    pores: random.between(0, 2),
    quality: Math.round(random.between(75, 92)),
  };
  return photographed(distorted(canvas, lens), look, random, relief);
}

/** The picture through a lens with radial distortion. */
function distorted(canvas: Canvas, share: number): Canvas {
  const { width, height, planes } = canvas;
  const out = blank(width, height, [0, 0, 0]);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [x - width / 2, y - height / 2];
      const scale = 1 - share * ((4 * (u * u + v * v)) / (width ** 2 + height ** 2));
      for (const [k, plane] of planes.entries()) {
        out.planes[k]![y * width + x] = between(
          plane,
          width,
          height,
          width / 2 + u * scale,
          height / 2 + v * scale,
        );
      }
    }
  }
  return out;
}
