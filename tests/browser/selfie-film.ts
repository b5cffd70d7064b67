import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Parameter } from '@wajah/contract';
import { chooseFrames } from '../../lab/src/sessions/choose-frames.ts';
import { type FilmFrame, framesOf } from '../../lab/src/sessions/film.ts';
import { sharedEngine } from '../../packages/engine/test/support/shared-engine.ts';
import type { Scene } from './film-camera.ts';

const film = fileURLToPath(new URL('../../../shared/eval/films/live_d5131267.MOV', import.meta.url));

/** Whether there is a film of a real person who turns the head, and the program that reads it. */
export const hasFilm = existsSync(film) && canRead();

function canRead(): boolean {
  try {
    execFileSync('ffmpeg', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export async function selfieFrames(): Promise<FilmFrame[]> {
  return framesOf(await sharedEngine(), film);
}

/** The frames of a film that best show the steps; undefined when it does not show all of them. */
export function selfieScenes(frames: readonly FilmFrame[], steps: readonly string[]): Scene[] | undefined {
  return chooseFrames(frames, steps as Parameter[])?.map((chosen, index) => ({
    step: steps[index]!,
    pictures: chosen.map(({ image }) => Buffer.from(image).toString('base64')),
  }));
}
