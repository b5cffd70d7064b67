import { join } from 'node:path';
import type { Parameter } from '@wajah/contract';
import type { Engine } from '@wajah/engine';
import { drawSteps } from '@wajah/server';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { drawing, type Random, seeded } from '../recapture/random.ts';
import { chooseFrames, turnsOf, type UsedMoment } from './choose-frames.ts';
import { type FilmFrame, framesOf } from './film.ts';
import type { SessionOutcome } from './outcome.ts';
import type { SentFrame, SessionService } from './service.ts';

/** A film of a person who turns the head, or a recording of such a film. */
export interface Film {
  readonly person: string;
  readonly file: string;
  readonly label: 'real' | 'spoof';
  readonly frames: readonly FilmFrame[];
}

/** The films of a split with the frames that show a face. */
export async function readFilms(engine: Engine, folder: EvalFolder, split: Split): Promise<Film[]> {
  if (!folder.has('films')) return [];
  const films: Film[] = [];
  for (const { file, person, label } of folder.entries('films', split)) {
    films.push({ file, person, label, frames: await framesOf(engine, join(folder.root, 'films', file)) });
  }
  return films;
}

/** A session of a film, and the moments of the film that were sent. */
export interface FilmTry {
  readonly outcome: SessionOutcome;
  readonly used: readonly UsedMoment[];
}

/** How the frames of a session are chosen and changed. */
export interface TryOptions {
  /** Moments that were sent in an earlier session; default none. */
  readonly used?: readonly UsedMoment[];
  /** A film of another person, whose frames are sent for every second step. */
  readonly mixed?: Film;
  /** The step that a step of the film is sent for; default the same. */
  readonly asked?: (step: Parameter) => Parameter;
  /** The frames of the first step are sent for the last one, too. */
  readonly oneFront?: boolean;
  /** Changes a frame before it is sent. */
  readonly change?: (frame: FilmFrame) => Promise<Uint8Array>;
  /** Called with what is sent. */
  readonly onSent?: (frames: readonly SentFrame[]) => void;
}

/**
 * One session made of the frames of a film that best show the drawn steps.
 * @returns undefined when the film cannot answer any challenge
 */
export async function trySession(
  service: SessionService,
  client: string,
  film: Film,
  random: Random,
  options: TryOptions = {},
): Promise<FilmTry | undefined> {
  const { used = [], mixed, asked = (step) => step, oneFront, change = unchanged, onSent } = options;
  let chosen: SentFilmFrame[] = [];
  const draw = (count: number) => {
    const found = answerable(film, count, random, used, mixed);
    if (!found) throw new UnanswerableError();
    const moments = oneFront ? [...found.frames.slice(0, -1), found.frames[0]!] : found.frames;
    chosen = found.steps.flatMap((step, i) => moments[i]!.map((frame) => ({ step, frame })));
    return found.steps.map(asked);
  };
  try {
    const verdict = await service.run(client, draw, async () => {
      const give = async ({ step, frame }: SentFilmFrame) => ({
        step: asked(step),
        image: await change(frame),
      });
      const frames = await Promise.all(chosen.map(give));
      onSent?.(frames);
      return frames;
    });
    const sent = chosen.map(({ step, frame: { at } }) => ({ step, at }));
    return { outcome: { ...verdict, person: film.person }, used: sent };
  } catch (error) {
    if (error instanceof UnanswerableError) return undefined;
    throw error;
  }
}

const unchanged = async ({ image }: FilmFrame) => image;

interface SentFilmFrame {
  readonly step: Parameter;
  readonly frame: FilmFrame;
}

class UnanswerableError extends Error {}

/** Challenges that are drawn before a film is given up. */
const DRAWS = 100;

function answerable(
  { frames }: Film,
  count: number,
  random: Random,
  used: readonly UsedMoment[],
  mixed: Film | undefined,
) {
  const others = mixed && turnsOf(mixed.frames);
  const turns = turnsOf(frames).filter((turn) => others?.includes(turn) ?? true);
  if (turns.length < 2 || !turns.some((turn) => turn === 'face left' || turn === 'face right'))
    return undefined;
  for (let i = 0; i < DRAWS; i++) {
    const steps = drawSteps(count, { expression: false, among: turns, random: drawing(random) });
    const chosen = chooseFrames(frames, steps, used);
    const foreign = mixed && chooseFrames(mixed.frames, steps);
    if (!chosen || (mixed && !foreign)) continue;
    return { steps, frames: chosen.map((own, place) => (place % 2 === 1 ? (foreign?.[place] ?? own) : own)) };
  }
  return undefined;
}

/** First tries of each film, each by a fresh client with another challenge, and a second try by the same client. */
export async function filmSessions(
  service: SessionService,
  films: readonly Film[],
  { sessions, again }: { readonly sessions: number; readonly again: boolean },
) {
  const first: SessionOutcome[] = [];
  const second: SessionOutcome[] = [];
  for (const film of films) {
    for (let i = 0; i < sessions; i++) {
      const random = seeded(`${film.file} ${i}`);
      const client = await service.newClient();
      const done = await trySession(service, client, film, random);
      if (!done) break;
      first.push(done.outcome);
      const retried = again
        ? await trySession(service, client, film, random, { used: done.used })
        : undefined;
      if (retried) second.push(retried.outcome);
    }
  }
  return { first, second };
}
