import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Engine, Face } from '@wajah/engine';

/** Frames a second that are taken from a film. */
const FRAME_RATE = 4;

/** A frame of a film with the most prominent face in it. */
export interface FilmFrame {
  /** Seconds from the beginning. */
  readonly at: number;
  /** JPEG or PNG. */
  readonly image: Uint8Array;
  /** Analysed with `pose`. */
  readonly face: Face;
}

/**
 * Frames of a film that show a face.
 * @param path of a film, or of a folder with its frames, four a second, in the order of their names
 * @throws Error when ffmpeg is not installed, or cannot read the film
 */
export async function framesOf(engine: Pick<Engine, 'analyze'>, path: string): Promise<FilmFrame[]> {
  const images = (await stat(path)).isDirectory()
    ? await picturesIn(path)
    : await extractFrames(path, FRAME_RATE, 'jpg');
  const frames = await Promise.all(
    images.map(async (image, i): Promise<FilmFrame[]> => {
      const { faces } = await engine.analyze(image, {
        attributes: ['pose'],
        maxFaces: 1,
        search: 'fast',
      });
      return faces[0] ? [{ at: i / FRAME_RATE, image, face: faces[0] }] : [];
    }),
  );
  return frames.flat();
}

async function picturesIn(folder: string): Promise<Uint8Array[]> {
  const names = (await readdir(folder)).filter((name) => /\.(jpe?g|png)$/i.test(name)).sort();
  return Promise.all(names.map((name) => readFile(join(folder, name))));
}

/**
 * Frames of a film, `rate` a second.
 * @throws Error when ffmpeg is not installed, or cannot read the film
 */
export async function extractFrames(film: string, rate: number, type: 'jpg' | 'png'): Promise<Uint8Array[]> {
  const folder = await mkdtemp(join(tmpdir(), 'wajah-film-'));
  const frames = join(folder, `%05d.${type}`);
  const filters = ['-vf', `fps=${rate}`, '-q:v', '2'];
  try {
    await promisify(execFile)('ffmpeg', ['-nostdin', '-loglevel', 'error', '-i', film, ...filters, frames]);
    return await picturesIn(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw new Error(`ffmpeg cannot read ${film}`);
    throw new Error(
      'ffmpeg is not installed; it takes the frames out of films (Debian: apt install ffmpeg). A folder of frames may stand in place of a film.',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
