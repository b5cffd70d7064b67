import { join } from 'node:path';
import type { Engine, Face } from '@wajah/engine';
import sharp from 'sharp';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { framesOf } from '../sessions/film.ts';

/** Frames in which a person faces the camera, as many as a challenge has lights. */
export interface FrontalWindow {
  readonly person: string;
  /** File and number of the first frame. */
  readonly name: string;
  readonly frames: readonly WindowFrame[];
}

/** The surroundings of the face of a frame. */
export interface WindowFrame {
  /** RGB, interleaved. */
  readonly pixels: { readonly data: Uint8Array; readonly width: number; readonly height: number };
  /** x, y, z of 468 points, in these pixels. */
  readonly mesh: readonly number[];
}

/** Frames of a window: one for each light. */
const LENGTH = 6;
/** Largest angle between head and camera, degrees. */
const FRONTAL = 12;
/** Side of the surroundings over the longer side of the face box, and their largest size in pixels. */
const SURROUNDINGS = 2.4;
const LARGEST = 420;
/** Frames from one window to the next. */
const STEP = 6;

interface Seen {
  readonly image: Uint8Array;
  readonly face: Face;
}

/** Windows of the films of people and of the short films among the selfies of a split. */
export async function frontalWindows(
  engine: Pick<Engine, 'analyze'>,
  folder: EvalFolder,
  split: Split,
): Promise<FrontalWindow[]> {
  const films = (folder.has('films') ? folder.entries('films', split) : [])
    .filter(({ label }) => label === 'real')
    .map(({ file, person }) => ({ path: join('films', file), person }));
  const selfies = (folder.has('selfies') ? folder.entries('selfies', split) : [])
    .filter(({ file }) => /\.(mp4|3gp|mov)$/i.test(file))
    .map(({ file, identity }) => ({ path: join('selfies', file), person: identity }));
  const windows: FrontalWindow[] = [];
  for (const { path, person } of [...films, ...selfies]) {
    const frames = await framesOf(engine, join(folder.root, path));
    for (let from = 0; from + LENGTH <= frames.length; from += STEP) {
      const chosen = frames.slice(from, from + LENGTH);
      if (!chosen.every(({ face }) => isFrontal(face))) continue;
      const cut = await Promise.all(chosen.map((frame) => surroundings(engine, frame)));
      windows.push({ person, name: `${path} ${from}`, frames: cut });
    }
  }
  return windows;
}

function isFrontal({ pose }: Face): boolean {
  return pose !== undefined && Math.hypot(pose.yaw, pose.pitch) < FRONTAL;
}

async function surroundings(engine: Pick<Engine, 'analyze'>, { image, face }: Seen): Promise<WindowFrame> {
  const upright = sharp(image);
  const { width, height } = await upright.metadata();
  const { box } = face;
  const side = Math.round(Math.max(box.width, box.height) * SURROUNDINGS);
  const left = Math.max(0, Math.round(box.x + box.width / 2 - side / 2));
  const top = Math.max(0, Math.round(box.y + box.height / 2 - side / 2));
  const part = { left, top, width: Math.min(side, width - left), height: Math.min(side, height - top) };
  const scale = Math.min(1, LARGEST / Math.max(part.width, part.height));
  const { data, info } = await upright
    .extract(part)
    .resize(Math.round(part.width * scale))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = { data, width: info.width, height: info.height };
  const png = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .png()
    .toBuffer();
  const { faces } = await engine.analyze(png, { attributes: ['mesh'], maxFaces: 1, search: 'fast' });
  if (!faces[0]?.mesh) throw new Error('a face of a film was not found again in its surroundings');
  return { pixels, mesh: [...faces[0].mesh] };
}
