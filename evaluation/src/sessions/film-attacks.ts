import type { Parameter } from '@wajah/contract';
import sharp from 'sharp';
import { CLEAN, photographed } from '../attacks/camera.ts';
import { fullScreen, refilmed } from '../attacks/medium.ts';
import { canvasOf } from '../attacks/still.ts';
import { seeded } from '../recapture/random.ts';
import type { FilmFrame } from './film.ts';
import { type Film, type TryOptions, trySession } from './films.ts';
import type { SessionGroup, SessionOutcome } from './outcome.ts';
import type { SentFrame, SessionService } from './service.ts';

/** An attack with the frames of honest films. */
interface FilmSpecies {
  readonly name: string;
  options(films: readonly Film[], film: Film, session: string): TryOptions | undefined;
}

const FILM_SPECIES: readonly FilmSpecies[] = [
  {
    name: 'film on a full screen',
    options: (_, __, session) => ({ change: (frame) => onScreen(frame, session, true) }),
  },
  {
    name: 'film on a phone',
    options: (_, __, session) => ({ change: (frame) => onScreen(frame, session, false) }),
  },
  {
    name: 'frames of two people mixed',
    options: (films, film) => {
      const mixed = films.find(({ person }) => person !== film.person);
      return mixed && { mixed };
    },
  },
];

const RESENT = {
  same: 'frames of an earlier session of the client',
  other: 'frames of an earlier session of another client',
} as const;

/** Names of the attacks with the frames of films. */
export const FILM_ATTACKS: readonly string[] = [
  ...FILM_SPECIES.map(({ name }) => name),
  ...Object.values(RESENT),
];

/** Attacks with the frames of honest films: shown on a screen, mixed, and sent again. @param sessions of each film */
export async function filmAttackGroups(
  service: SessionService,
  films: readonly Film[],
  sessions: number,
  isWanted: (name: string) => boolean,
): Promise<SessionGroup[]> {
  const groups: SessionGroup[] = [];
  for (const { name, options } of FILM_SPECIES.filter((species) => isWanted(species.name))) {
    const outcomes = await everySession(films, sessions, async (film, seed) => {
      const how = options(films, film, seed);
      if (!how) return [];
      const done = await trySession(service, await service.newClient(), film, seeded(`${name} ${seed}`), how);
      return done ? [done.outcome] : [];
    });
    groups.push({ name, kind: 'attack', animated: false, outcomes });
  }
  for (const [whose, name] of Object.entries(RESENT)) {
    if (!isWanted(name)) continue;
    const outcomes = await everySession(films, sessions, (film, seed) =>
      resent(service, film, seed, whose === 'same'),
    );
    groups.push({ name, kind: 'attack', animated: false, outcomes });
  }
  return groups;
}

async function everySession(
  films: readonly Film[],
  sessions: number,
  run: (film: Film, seed: string) => Promise<SessionOutcome[]>,
): Promise<SessionOutcome[]> {
  const outcomes: SessionOutcome[] = [];
  for (const film of films) {
    for (let i = 0; i < sessions; i++) outcomes.push(...(await run(film, `${film.file} ${i}`)));
  }
  return outcomes;
}

/** An honest session, and its frames once more, encoded again, in a session with the same challenge. */
async function resent(
  service: SessionService,
  film: Film,
  seed: string,
  sameClient: boolean,
): Promise<SessionOutcome[]> {
  const client = await service.newClient();
  const sent: SentFrame[] = [];
  const steps: Parameter[] = [];
  const first = await trySession(service, client, film, seeded(seed), {
    onSent: (frames) => sent.push(...frames),
  });
  if (!first) return [];
  for (const { step } of sent) if (steps.at(-1) !== step) steps.push(step);
  const again = sameClient ? client : await service.newClient('keep');
  const verdict = await service.run(
    again,
    () => steps,
    () => Promise.all(sent.map(async ({ step, image }) => ({ step, image: await encodedAgain(image) }))),
  );
  return [{ ...verdict, person: film.person }];
}

async function encodedAgain(image: Uint8Array): Promise<Uint8Array> {
  const { width } = await sharp(image).metadata();
  return sharp(image)
    .resize({ width: Math.round(width * 0.93) })
    .jpeg({ quality: 82 })
    .toBuffer();
}

async function onScreen({ image, at, face }: FilmFrame, session: string, full: boolean): Promise<Uint8Array> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const frame = canvasOf(data, info.width, info.height);
  const shown = full ? fullScreen(frame, session) : refilmed(frame, face.box, 'screen', session);
  return photographed(shown, CLEAN, seeded(`${session} ${at}`));
}
