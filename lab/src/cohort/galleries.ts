import { innerProduct } from '@wajah/engine';
import { type AcquiredSample, byIdentity } from '../people/templates.ts';
import { seeded } from '../recapture/random.ts';

/** A drawn gallery: one picture of each enrolled person; all other pictures of its population are probes. */
export interface DrawnGallery {
  readonly references: readonly AcquiredSample[];
  /** Of enrolled people and of others. */
  readonly probes: readonly AcquiredSample[];
}

type Person = readonly AcquiredSample[];

/** Galleries of `size` people drawn at random, each with a random picture. */
export function drawGalleries(
  samples: readonly AcquiredSample[],
  size: number,
  draws: number,
  name: string,
): DrawnGallery[] {
  const people = [...byIdentity(samples).values()];
  return Array.from({ length: draws }, (_, draw) => enrol(people, size, `${name} ${draw}`));
}

/** Galleries of `size` of the `near` people whose first pictures are the most similar to that of a random person. */
export function drawNeighbourhoods(
  samples: readonly AcquiredSample[],
  near: number,
  size: number,
  draws: number,
): DrawnGallery[] {
  const people = [...byIdentity(samples).values()];
  return shuffled(people, 'centres')
    .slice(0, draws)
    .map((centre, draw) => {
      const distance = (person: Person) => -innerProduct(person[0]!.template, centre[0]!.template);
      const nearest = people
        .map((person) => ({ person, distance: distance(person) }))
        .sort((a, b) => a.distance - b.distance)
        .slice(0, near)
        .map(({ person }) => person);
      return enrol(nearest, size, `near ${near} ${draw}`);
    });
}

function enrol(people: readonly Person[], size: number, seed: string): DrawnGallery {
  const { between } = seeded(seed);
  const references = shuffled(people, seed)
    .slice(0, size)
    .map((person) => person[Math.floor(between(0, person.length))]!);
  const enrolled = new Set(references);
  return { references, probes: people.flat().filter((sample) => !enrolled.has(sample)) };
}

function shuffled<T>(items: readonly T[], seed: string): T[] {
  const { between } = seeded(`order ${seed}`);
  return items
    .map((item) => ({ item, key: between(0, 1) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
