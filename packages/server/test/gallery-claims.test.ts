import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../src/services/caller.ts';
import { openStand, type Stand } from './support/stand.ts';

interface Labelled {
  readonly file: string;
  readonly split: string;
  readonly identity: string;
  readonly region?: string | null;
}

const folder = fileURLToPath(new URL('../../../../shared/eval/verification/', import.meta.url));
const base64 = ({ file }: Labelled) => readFileSync(`${folder}${file}`).toString('base64');

/** Pictures of East Asian people of `dev`, by person. */
function people(): Labelled[][] {
  const all = JSON.parse(readFileSync(`${folder}manifest.json`, 'utf8')) as Labelled[];
  const byName = new Map<string, Labelled[]>();
  for (const picture of all.filter(({ split, region }) => split === 'dev' && region === 'ea')) {
    byName.set(picture.identity, [...(byName.get(picture.identity) ?? []), picture]);
  }
  return [...byName.values()];
}

describe.skipIf(!existsSync(folder))('in a gallery of East Asian people', () => {
  let stand: Stand;
  let caller: Caller;
  const facegalleryId = 'acme@trial';

  beforeAll(async () => {
    stand = await openStand();
    caller = stand.caller('acme');
    await stand.services.clients.register(caller);
    for (const [first] of people().slice(0, 30)) {
      const userId = first!.identity;
      await stand.enrol(caller, userId, userId, base64(first!), { forceRegister: true });
    }
    await stand.deps.cohorts.settled();
  });

  it('a similarity of 0.5 is a false match rate of 1 in 100, where the curve of the pack has 1 in 18', async () => {
    const enrolled = new Set(
      people()
        .slice(0, 30)
        .map(([first]) => first!.file),
    );
    const probes = people()
      .flat()
      .filter(({ file }) => !enrolled.has(file));
    let [matches, pairs] = [0, 0];
    for (const picture of probes) {
      const image = base64(picture);
      const request = { facegalleryId, image, topK: 10, threshold: 0.5 };
      // Nobody at or above the threshold is a refusal.
      const identified = await stand.services.recognition
        .identify(caller, request)
        .catch(() => ({ people: [] }));
      matches += identified.people.filter(({ userId }) => userId !== picture.identity).length;
      pairs += 29;
    }
    expect(matches).toBeGreaterThan(0);
    expect(matches / pairs).toBeLessThan(0.025);
  });
});
