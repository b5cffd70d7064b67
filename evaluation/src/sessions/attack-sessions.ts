import type { Engine } from '@wajah/engine';
import { attackFrames } from '../attacks/attacker.ts';
import type { Species } from '../attacks/species.ts';
import { mapConcurrently } from '../demo/concurrency.ts';
import { seeded } from '../recapture/random.ts';
import { ACTIONS, drawFrom } from './choose-frames.ts';
import type { SessionOutcome } from './outcome.ts';
import type { SessionService } from './service.ts';
import type { PublicStill } from './stills.ts';

/**
 * One session of a species for each still, by a fresh client, with a random challenge. The number of earlier refusals
 * that the attacker has learned from differs from still to still.
 */
export function attackSessions(
  service: SessionService,
  engine: Engine,
  species: Species,
  stills: readonly PublicStill[],
  step: () => void,
): Promise<SessionOutcome[]> {
  return mapConcurrently([...stills.entries()], engine.load().workers + 1, async ([i, still]) => {
    const session = `${species.name} ${still.person}`;
    const material = { still, other: stills[(i + 1) % stills.length]! };
    const client = await service.newClient();
    const random = seeded(session);
    const verdict = await service.run(
      client,
      (count) => drawFrom(ACTIONS, count, random),
      async (steps) => {
        const frames = await attackFrames(engine, species, material, steps, { session, attempt: i % 3 });
        return steps.map((name, place) => ({ step: name, image: frames[place]! }));
      },
    );
    step();
    return { ...verdict, person: still.person };
  });
}
