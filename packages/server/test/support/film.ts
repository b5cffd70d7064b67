import type { Engine } from '@wajah/engine';
import { drawnFace, type PersonName } from '../../../engine/test/drawn/drawn-face.ts';
import {
  type CameraPlacement,
  headOf,
  photograph,
  type Subject,
} from '../../../engine/test/drawn/drawn-head.ts';
import { keptInRun } from '../../../engine/test/support/kept-results.ts';
import { faceIn, sharedEngine } from '../../../engine/test/support/shared-engine.ts';
import { uneven } from '../../../engine/test/support/uneven.ts';

const held: Readonly<Record<string, CameraPlacement>> = {
  'face front': {},
  'face left': { yaw: 29 },
  'face right': { yaw: -29 },
  'face up': { pitch: 27 },
  'face down': { pitch: -24 },
  'eyes closed': { yaw: 2, pitch: 2 },
  'mouth open': { yaw: -2, pitch: 2 },
};

/** A person before a camera who performs the steps of a session; each take of a step is another moment. */
export interface Film {
  /** Base64. @param take 0, 1, 2, … */
  frame(step: string, take: number): Promise<string>;
  /** One frame for each step, none twice. @param from the first take that is used */
  frames(steps: readonly string[], from?: number): Promise<{ step: string; image: string }[]>;
}

const films = new Map<PersonName, Promise<Film>>();

/** A person in relief, drawn once in a process and photographed for each frame. */
export function filmOf(person: PersonName): Promise<Film> {
  const film = films.get(person) ?? makeFilm(person);
  films.set(person, film);
  return film;
}

async function makeFilm(person: PersonName): Promise<Film> {
  const engine = await sharedEngine();
  const expressions = {
    calm: {},
    asleep: { leftEye: 'closed', rightEye: 'closed' },
    gaping: { mouth: 'open' },
  } as const;
  const heads = new Map<keyof typeof expressions, Promise<Subject>>();
  const headWith = (expression: keyof typeof expressions) => {
    const made =
      heads.get(expression) ??
      drawnFace({ person, ...expressions[expression] }).then((drawn) => head(engine, drawn));
    heads.set(expression, made);
    return made;
  };
  const taken = new Map<string, Promise<string>>();
  const take = async (step: string, number: number) => {
    const expression = step === 'eyes closed' ? 'asleep' : step === 'mouth open' ? 'gaping' : 'calm';
    const { yaw = 0, pitch = 0 } = held[step] ?? {};
    // Each take is turned, tilted and moved a little.
    const way = {
      yaw: yaw + wobble(number, 1),
      pitch: pitch + wobble(number, 2),
      roll: wobble(number, 3),
    };
    const shift = { x: 4 * wobble(number, 4), y: 4 * wobble(number, 5) };
    const photographed = async () =>
      (await photograph(await headWith(expression), { ...way, ...shift })).toString('base64');
    return keptInRun(['frame', person, step, String(number)], photographed);
  };
  const frame: Film['frame'] = (step, number) => {
    const key = `${step} ${number}`;
    const picture = taken.get(key) ?? take(step, number);
    taken.set(key, picture);
    return picture;
  };
  return {
    frame,
    frames: (steps, from = 0) =>
      Promise.all(
        steps.map(async (step, i) => {
          const before = steps.slice(0, i).filter((other) => other === step).length;
          return { step, image: await frame(step, from + before) };
        }),
      ),
  };
}

async function head(engine: Engine, drawn: Buffer): Promise<Subject> {
  const picture = await uneven(drawn);
  return headOf(picture, (await faceIn(engine, picture, ['mesh'])).mesh!);
}

/** −5…5 degrees, different for each take. */
function wobble(take: number, of: number): number {
  return 5 * Math.sin(take * 2.4 + of * 1.7);
}
