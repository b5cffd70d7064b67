import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '@wajah/engine';
import { drawSteps } from '@wajah/server';
import { attackFrames } from '../attacks/attacker.ts';
import type { Species } from '../attacks/species.ts';
import { drawing, seeded } from '../recapture/random.ts';
import { mapConcurrently } from '../run/concurrency.ts';
import type { SessionOutcome } from './outcome.ts';
import type { SessionService } from './service.ts';
import type { PublicStill } from './stills.ts';

/** Sessions with one still at most: their frames resemble each other. */
const SESSIONS_PER_STILL = 3;

/**
 * Sessions of a species, the stills in turn, each by a fresh client with a random challenge. The number of earlier refusals
 * that the attacker has learned from differs from session to session.
 * @param count of sessions, at most three for each still
 * @param folder where generated frames are stored and found again; undefined: they are not stored
 */
export function attackSessions(
  service: SessionService,
  engine: Engine,
  species: Species,
  stills: readonly PublicStill[],
  { count, folder, step }: { readonly count: number; readonly folder: string | undefined; step(): void },
): Promise<SessionOutcome[]> {
  const numbers = Array.from({ length: Math.min(count, SESSIONS_PER_STILL * stills.length) }, (_, i) => i);
  return mapConcurrently(numbers, engine.load().workers + 1, async (i) => {
    const still = stills[i % stills.length]!;
    const round = Math.floor(i / stills.length);
    const session = `${species.name} ${still.person}${round === 0 ? '' : ` ${round}`}`;
    const material = { still, other: stills[(i + 1) % stills.length]!, more: still.more };
    const client = await service.newClient();
    const random = seeded(session);
    const verdict = await service.run(
      client,
      (count) => drawSteps(count, { expression: true, random: drawing(random) }),
      async (steps) => {
        const make = () => attackFrames(engine, species, material, steps, { session, attempt: i % 3 });
        const frames = await stored(folder, [session, ...steps], make);
        return steps.map((name, place) => ({ step: name, image: frames[place]! }));
      },
    );
    step();
    return { ...verdict, person: still.person };
  });
}

/** Frames that were generated before, or now. @param of what they were generated from */
async function stored(
  folder: string | undefined,
  of: readonly string[],
  make: () => Promise<Uint8Array[]>,
): Promise<Uint8Array[]> {
  if (folder === undefined) return make();
  const [session = '', ...steps] = of;
  const own = join(
    folder,
    `${session} ${createHash('sha256').update(steps.join()).digest('hex').slice(0, 8)}`.replaceAll(
      /[^\w.-]+/g,
      '-',
    ),
  );
  const paths = steps.map((step, i) => join(own, `${i}-${step.replaceAll(' ', '-')}.jpg`));
  if (paths.every((path) => existsSync(path))) return Promise.all(paths.map((path) => readFile(path)));
  const frames = await make();
  await mkdir(own, { recursive: true });
  await Promise.all(frames.map((frame, i) => writeFile(paths[i]!, frame)));
  return frames;
}
