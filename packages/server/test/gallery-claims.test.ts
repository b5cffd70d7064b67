import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStand, type Stand } from './support/stand.ts';

interface Labelled {
  readonly file: string;
  readonly split: string;
  readonly identity: string;
  readonly region?: string | null;
  readonly group?: string;
}

const folder = fileURLToPath(new URL('../../../../shared/eval/', import.meta.url));
const base64 = (task: string, { file }: Labelled) =>
  readFileSync(`${folder}${task}/${file}`).toString('base64');

/** Pictures of some people of `dev`, by person. */
function peopleOf(task: string, includes: (picture: Labelled) => boolean): Labelled[][] {
  const all = JSON.parse(readFileSync(`${folder}${task}/manifest.json`, 'utf8')) as Labelled[];
  const byName = new Map<string, Labelled[]>();
  for (const picture of all.filter((one) => one.split === 'dev' && includes(one))) {
    byName.set(picture.identity, [...(byName.get(picture.identity) ?? []), picture]);
  }
  return [...byName.values()];
}

describe.skipIf(!existsSync(folder))('a similarity is a false match rate', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await openStand();
  });

  /** Share of the probes' pairs with other people at or above a similarity. */
  async function falseMatches(task: string, enrolled: Labelled[], probes: Labelled[], threshold: number) {
    const caller = await stand.registered(task);
    const facegalleryId = `${task}@trial`;
    for (const picture of enrolled) {
      const userId = picture.identity;
      await stand.enrol(caller, userId, userId, base64(task, picture), { forceRegister: true });
    }
    await stand.deps.cohorts.settled();
    let [matches, pairs] = [0, 0];
    for (const picture of probes) {
      const request = { facegalleryId, image: base64(task, picture), topK: 10, threshold };
      // Nobody at or above the threshold is a refusal.
      const identified = await stand.services.recognition
        .identify(caller, request)
        .catch(() => ({ people: [] }));
      matches += identified.people.filter(({ userId }) => userId !== picture.identity).length;
      pairs += enrolled.filter(({ identity }) => identity !== picture.identity).length;
    }
    expect(matches).toBeGreaterThan(0);
    return matches / pairs;
  }

  it('among East Asian people: 0.5 is 1 in 100, where the curve of random people has 1 in 18', async () => {
    const people = peopleOf('verification', ({ region }) => region === 'ea');
    const enrolled = people.slice(0, 30).map(([first]) => first!);
    const probes = people.flat().filter((picture) => !enrolled.includes(picture));
    expect(await falseMatches('verification', enrolled, probes, 0.5)).toBeLessThan(0.025);
  });

  it('in a gallery of four, of people before one camera: 0.375 is 1 in 10, where that curve has 1 in 8', async () => {
    const people = peopleOf('portraits', ({ group }) => group === 'congress');
    const [enrolled, probes] = [people.slice(0, 4), people.slice(4, 154)];
    const first = (those: Labelled[][]) => those.map(([picture]) => picture!);
    expect(await falseMatches('portraits', first(enrolled), first(probes), 0.375)).toBeLessThan(0.1);
  });
});
