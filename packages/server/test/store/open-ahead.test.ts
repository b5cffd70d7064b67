import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { sharedEngine } from '../../../engine/test/support/shared-engine.ts';
import { StoreUnavailable } from '../../src/errors.ts';
import type { FaceSource } from '../../src/matching/cached-gallery.ts';
import { createExactMatcher } from '../../src/matching/exact-matcher.ts';
import type { Matcher } from '../../src/matching/ports.ts';
import { createTemplateVault } from '../../src/security/vaults/template-vault.ts';
import { embeddingSpecText } from '../../src/services/galleries/embedding-spec.ts';
import { openAhead } from '../../src/services/galleries/open-ahead.ts';
import type { Comparison } from '../../src/store/ports/scores.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { unlimited } from '../support/store.ts';
import { randomNumbers, unitVector } from '../support/vectors.ts';
import { describeStores } from './kinds.ts';

const dayMs = 86_400_000;
const vault = createTemplateVault(randomBytes(32));
const engine = await sharedEngine();
const { dimensions } = engine.embeddingSpec;
const spec = embeddingSpecText(engine.embeddingSpec);
const random = randomNumbers(51);

interface Drawn {
  readonly day?: number;
  readonly comparison?: Comparison;
  readonly embeddingSpec?: string;
  readonly people?: number;
}

/** Galleries of a client by their names. */
async function drawn(store: Store, galleries: Readonly<Record<string, Drawn>>) {
  await store.clients.create({ clientId: 'a', passwordHash: null, quota: unlimited });
  const ids = new Map<string, number>();
  for (const [name, drawn] of Object.entries(galleries)) {
    const { day, comparison = 'identify', embeddingSpec = spec, people = 10 } = drawn;
    const gallery = await store.galleries.create('a', name, (id) => vault.wrapNewKey('a', id));
    if (typeof gallery === 'string') throw new Error(gallery);
    ids.set(name, gallery.id);
    for (let i = 0; i < people; i++) {
      const userId = `user-${i}`;
      const template = vault.gallery(gallery).seal(userId, unitVector(random, dimensions));
      await store.faces.put(gallery.id, { userId, userName: '', template, embeddingSpec }, true);
    }
    if (day === undefined) continue;
    await store.scores.add([{ gallery: gallery.id, day: day * dayMs, comparison, bin: 50, count: 1 }]);
  }
  return ids;
}

function matching(store: Store, budget?: number, faces: FaceSource = store.faces) {
  const matcher = createExactMatcher({ faces, vault, ...(budget && { budget }) });
  onTestFinished(() => matcher.close());
  const warnings: object[] = [];
  const opened: string[] = [];
  const watched: Pick<Matcher, 'open'> = {
    open: (gallery, ...asked) => {
      opened.push(gallery.galleryId);
      return matcher.open(gallery, ...asked);
    },
  };
  const ahead = (parts: Partial<Parameters<typeof openAhead>[0]> = {}) => {
    const log = { warn: (fields: object) => void warnings.push(fields) };
    return openAhead({ store, engine, matcher: watched, log, ...parts });
  };
  const search = async (name: string, k = 1) =>
    matcher.search((await store.galleries.get('a', name))!, unitVector(random, dimensions), k);
  return { matcher, opened, warnings, ahead, search };
}

describeStores('galleries that are read ahead', (open) => {
  it('are those that people were looked for in, the last ones first', async () => {
    const store = await open();
    const ids = await drawn(store, {
      before: { day: 19_000 },
      never: {},
      last: { day: 20_000 },
      verified: { day: 20_000, comparison: 'verify' },
      otherpack: { day: 20_000, embeddingSpec: 'other' },
      between: { day: 19_500 },
    });
    const { matcher, opened, ahead, warnings, search } = matching(store);
    await ahead().done;
    expect(opened).toEqual(['last', 'between', 'before']);
    expect(matcher.cachedGalleries()).toEqual(opened.map((name) => ids.get(name)));
    expect(warnings).toEqual([]);
    // They are searched as any other.
    expect(await search('last')).toHaveLength(1);
  });

  it('take no memory of those in use, and give way to them, the last ones last', async () => {
    const store = await open();
    const ids = await drawn(store, {
      one: { day: 3 },
      two: { day: 2 },
      three: { day: 1 },
      inuse: {},
      other: {},
    });
    const { matcher, ahead, search } = matching(store, 450_000);
    const held = () => [...ids].flatMap(([name, id]) => (matcher.cachedGalleries().includes(id) ? name : []));
    await search('inuse');
    await ahead().done;
    expect(held()).toEqual(['one', 'two', 'inuse']);
    await search('other');
    expect(held()).toEqual(['one', 'inuse', 'other']);
  });

  it('do not hold up others when one is damaged, and end without the store or when they are stopped', async () => {
    const store = await open();
    const ids = await drawn(store, { one: { day: 3 }, two: { day: 2 }, three: { day: 1 } });
    await store.galleries.replaceKey(ids.get('two')!, randomBytes(61));
    const { matcher, opened, ahead, warnings } = matching(store);
    await ahead().done;
    expect(opened).toEqual(['one', 'two', 'three']);
    expect(warnings).toEqual([{ gallery: ids.get('two'), reason: expect.stringContaining('damaged') }]);

    warnings.length = 0;
    let asked = 0;
    const away = async (): Promise<boolean> => {
      asked++;
      throw new StoreUnavailable('the store is away');
    };
    await ahead({ matcher: { open: away } }).done;
    expect(asked).toBe(1);
    expect(warnings).toHaveLength(1);

    for (const id of ids.values()) matcher.evict(id);
    opened.length = 0;
    const stopped = ahead();
    stopped.stop();
    await stopped.done;
    expect(opened).toEqual([]);
    expect(warnings).toHaveLength(1);
  });

  it('are not read to their end when they are stopped, and wholly by the next search', async () => {
    const store = await open();
    const people = 500;
    await drawn(store, { large: { day: 2, people }, next: { day: 1 } });
    let slices = 0;
    const slice: FaceSource['slice'] = async (...asked) => {
      slices++;
      reading.stop();
      return store.faces.slice(...asked);
    };
    const { opened, ahead, warnings, search } = matching(store, undefined, { ...store.faces, slice });
    const reading = ahead();
    await reading.done;
    expect(slices).toBe(1);
    expect(opened).toEqual(['large']);
    expect(warnings).toEqual([]);
    expect(await search('large', people)).toHaveLength(people);
  });
});
