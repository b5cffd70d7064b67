import type { Parameter } from '@wajah/contract';
import sharp from 'sharp';
import { CLEAN, photographed } from '../attacks/camera.ts';
import { fullScreen, refilmed } from '../attacks/medium.ts';
import { canvasOf, copyOf } from '../attacks/still.ts';
import { between, paint } from '../recapture/canvas.ts';
import { type Random, seeded } from '../recapture/random.ts';
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
  { name: 'film of the other side', options: () => ({ asked: otherSide }) },
  { name: 'film with one frontal moment', options: () => ({ oneFront: true }) },
];

/** An attack with the frames of a session that passed. */
interface ResentSpecies {
  readonly name: string;
  /** Whether they are sent by another client. */
  readonly other?: boolean;
  /** Whether they are mirrored: the steps ask for the other side. */
  readonly mirrored?: boolean;
  change(image: Uint8Array, random: Random): Promise<Uint8Array>;
}

const RESENT: readonly ResentSpecies[] = [
  { name: 'frames of an earlier session of the client', change: encodedAgain },
  { name: 'frames of an earlier session of another client', other: true, change: encodedAgain },
  { name: 'relit frames of an earlier session', change: relit },
  {
    name: 'mirrored, relit frames of an earlier session',
    mirrored: true,
    change: async (image, random) => relit(await sharp(image).flop().toBuffer(), random),
  },
  {
    name: 'relit, turned, cropped frames of an earlier session',
    other: true,
    change: async (image, random) => croppedAnew(await relit(image, random), random),
  },
  { name: 'warped frames of an earlier session', other: true, change: warped },
  {
    name: 'small frames sent again',
    other: true,
    change: (image) => sharp(image).resize(160).jpeg().toBuffer(),
  },
  {
    name: 'dark frames sent again',
    other: true,
    change: (image) => sharp(image).linear(0.2, 0).jpeg().toBuffer(),
  },
  { name: 'blurred frames sent again', other: true, change: blurred },
];

/** Names of the attacks with the frames of films. */
export const FILM_ATTACKS: readonly string[] = [
  ...FILM_SPECIES.map(({ name }) => name),
  ...RESENT.map(({ name }) => name),
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
  for (const species of RESENT.filter(({ name }) => isWanted(name))) {
    const outcomes = await everySession(films, sessions, (film, seed) =>
      resent(service, film, seed, species),
    );
    groups.push({ name: species.name, kind: 'attack', animated: false, outcomes });
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

/** An honest session, and its frames once more, changed, in a session with the same challenge. */
async function resent(
  service: SessionService,
  film: Film,
  seed: string,
  { other = false, mirrored = false, change }: ResentSpecies,
): Promise<SessionOutcome[]> {
  const client = await service.newClient();
  const sent: SentFrame[] = [];
  const steps: Parameter[] = [];
  const random = seeded(seed);
  const first = await trySession(service, client, film, random, {
    onSent: (frames) => sent.push(...frames),
  });
  if (!first?.outcome.passed) return [];
  const asked = mirrored ? otherSide : (step: Parameter) => step;
  for (const { step } of sent) if (steps.at(-1) !== asked(step)) steps.push(asked(step));
  const again = other ? await service.newClient('keep') : client;
  const verdict = await service.run(
    again,
    () => steps,
    async () => {
      const frames: SentFrame[] = [];
      for (const { step, image } of sent)
        frames.push({ step: asked(step), image: await change(image, random) });
      return frames;
    },
  );
  return [{ ...verdict, person: film.person }];
}

const OTHER_SIDE: Partial<Record<Parameter, Parameter>> = {
  'face left': 'face right',
  'face right': 'face left',
};

function otherSide(step: Parameter): Parameter {
  return OTHER_SIDE[step] ?? step;
}

async function encodedAgain(image: Uint8Array): Promise<Uint8Array> {
  const { width } = await sharp(image).metadata();
  return sharp(image)
    .resize({ width: Math.round(width * 0.93) })
    .jpeg({ quality: 82 })
    .toBuffer();
}

async function blurred(image: Uint8Array): Promise<Uint8Array> {
  const { width } = await sharp(image).metadata();
  return sharp(image)
    .blur(width / 60)
    .jpeg()
    .toBuffer();
}

/** Under a linear ramp of brightness from 0.7 to 1.3, or from 0.6 to 1.4, in any direction. */
async function relit(image: Uint8Array, random: Random): Promise<Uint8Array> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const [angle, most] = [random.between(0, 2 * Math.PI), random.between(0, 1) < 0.5 ? 0.3 : 0.4];
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
  const reach = (Math.abs(dx) * width + Math.abs(dy) * height) / 2;
  for (let i = 0; i < data.length; i++) {
    const [x, y] = [Math.floor(i / channels) % width, Math.floor(i / channels / width)];
    const along = ((x - width / 2) * dx + (y - height / 2) * dy) / reach;
    data[i] = Math.min(255, data[i]! * (1 + most * along));
  }
  return sharp(data, { raw: info }).jpeg({ quality: 90 }).toBuffer();
}

/** Turned by up to 5°, cropped to nine tenths, scaled and encoded again. */
async function croppedAnew(image: Uint8Array, random: Random): Promise<Uint8Array> {
  const turned = await sharp(image).rotate(random.between(-5, 5), { background: '#888' }).toBuffer();
  const { width, height } = await sharp(turned).metadata();
  const [w, h] = [Math.round(0.9 * width), Math.round(0.9 * height)];
  const left = Math.round(random.between(0, width - w));
  const top = Math.round(random.between(0, height - h));
  return sharp(turned)
    .extract({ left, top, width: w, height: h })
    .resize({ width: Math.round(w * random.between(0.7, 1.2)) })
    .jpeg({ quality: Math.round(random.between(60, 90)) })
    .toBuffer();
}

/** Under waves of 0.2 to 0.4 % of the width, of 0.12 to 1 of it from crest to crest. */
async function warped(image: Uint8Array, random: Random): Promise<Uint8Array> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const from = canvasOf(data, width, height);
  const to = copyOf(from);
  const [most, length] = [random.between(0.002, 0.004) * width, random.between(0.12, 1) * width];
  const [first, second] = [random.between(0, 2 * Math.PI), random.between(0, 2 * Math.PI)];
  const wave = (along: number, phase: number) => most * Math.sin((2 * Math.PI * along) / length + phase);
  paint(to, (_, channel, x, y) =>
    between(from.planes[channel]!, width, height, x + wave(y, first), y + wave(x, second)),
  );
  return photographed(to, { ...CLEAN, noise: 0, light: 0 }, random);
}

async function onScreen({ image, at, face }: FilmFrame, session: string, full: boolean): Promise<Uint8Array> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const frame = canvasOf(data, info.width, info.height);
  const shown = full ? fullScreen(frame, session) : refilmed(frame, face.box, session);
  return photographed(shown, CLEAN, seeded(`${session} ${at}`));
}
