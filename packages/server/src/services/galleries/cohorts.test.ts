import { innerProduct } from '@wajah/engine';
import { beforeEach, describe, expect, it } from 'vitest';
import { drawnFace } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../../test/support/requests.ts';
import { openStand } from '../../../test/support/stand.ts';
import type { Caller } from '../caller.ts';
import { embeddingSpecText } from './embedding-spec.ts';
import { galleryScores } from './gallery-scores.ts';
import { impostorProducts } from './impostor-products.ts';

let caller: Caller;
let facegalleryId: string;
let client = 0;

const stand = await openStand();
const ani = await base64(drawnFace({ person: 'ani' }));
beforeEach(async () => {
  caller = stand.caller(`cohort-${++client}`);
  facegalleryId = `${caller.clientId}@trial`;
  await stand.services.clients.register(caller);
});

const gallery = async () => (await stand.deps.store.galleries.get(caller.clientId, facegalleryId))!;

/** A unit vector that depends on the name; `alike` is the weight of a direction that all share. */
function templateOf(name: string, alike = 0.5): Float32Array {
  let state = [...name].reduce((sum, character) => sum * 31 + character.codePointAt(0)!, 7) >>> 0;
  const { dimensions } = stand.deps.engine.embeddingSpec;
  const values = Array.from({ length: dimensions }, (_, i) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1 + (i < dimensions / 4 ? alike : 0);
  });
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

/** Enrols people with given templates, as the service does after the analysis of a picture; `each`: one call each. */
async function enrolPeople(names: readonly string[], { alike = 0.5, each = false } = {}): Promise<void> {
  const { store, vault, engine, matcher, cohorts } = stand.deps;
  for (const userId of names) {
    const record = await gallery();
    const template = templateOf(userId, alike);
    const row = {
      userId,
      userName: userId,
      embeddingSpec: embeddingSpecText(engine.embeddingSpec),
      template: vault.gallery(record).seal(userId, template),
    };
    const seq = await store.faces.put(record.id, row, true);
    if (typeof seq !== 'number') throw new Error(seq);
    matcher.faceEnrolled(record.id, { userId, userName: userId, template, seq });
    if (each) cohorts.renewIfStale(await gallery());
  }
  cohorts.renewIfStale(await gallery());
  await cohorts.settled();
}

const people = (count: number, prefix = 'p') => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

describe('the statistics of a gallery', () => {
  it('exist from five people on, and follow the gallery', async () => {
    await enrolPeople(people(4), { each: true });
    expect((await gallery()).cohort).toBeNull();
    await enrolPeople(['fifth']);
    expect((await gallery()).cohort).toMatchObject({ version: 5, people: 5 });
    await enrolPeople(people(5, 'q'));
    expect((await gallery()).cohort).toMatchObject({ version: 10, people: 10 });
  });

  it('are not made of templates of two packs, which are not compared for a calibration either', async () => {
    await enrolPeople(people(6));
    const { store, engine, cohorts } = stand.deps;
    const spec = embeddingSpecText(engine.embeddingSpec);
    const { id } = await gallery();
    for (const to of ['another', spec]) await store.reembedding.begin(id, to);
    await store.galleries.storeCohort(id, null);
    cohorts.renew(await gallery());
    await cohorts.settled();
    expect((await gallery()).cohort).toBeNull();
    const found = await impostorProducts(stand.deps, [await gallery()], spec);
    expect(found).toMatchObject({ galleries: 0, otherGalleries: 1, people: 0 });
    const [described] = (await stand.services.galleries.describe(caller, {})).first;
    expect(described).toMatchObject({ galleryId: facegalleryId, comparable: false });
  });

  it('are out of date by at most one person in twenty', async () => {
    await enrolPeople(people(60));
    for (const name of people(12, 'q')) {
      await enrolPeople([name]);
      const { version, cohort, faces } = await gallery();
      expect(version - cohort!.version).toBeLessThanOrEqual(faces * 0.05);
    }
  });

  it('no longer contain a removed person, and end below five people', async () => {
    await enrolPeople(people(60));
    await stand.services.faces.remove(caller, { facegalleryId, userId: 'p7' });
    await stand.deps.cohorts.settled();
    expect((await gallery()).cohort).toMatchObject({ version: 61, people: 59 });
    for (const userId of people(56).filter((name) => name !== 'p7')) {
      await stand.services.faces.remove(caller, { facegalleryId, userId });
    }
    await stand.deps.cohorts.settled();
    expect((await gallery()).cohort).toBeNull();
  });

  it('are neither used nor renewed when off', async () => {
    const mode = (cohortMode: 'auto' | 'off') =>
      stand.deps.store.galleries.updateSettings(caller.clientId, facegalleryId, { cohortMode });
    await enrolPeople(people(20));
    await mode('off');
    await enrolPeople(people(20, 'q'));
    expect(galleryScores(stand.deps, await gallery()).facts).toEqual({ cohort_version: 0, cohort_people: 0 });
    expect((await gallery()).cohort).toMatchObject({ version: 20, people: 20 });
    await mode('auto');
    await enrolPeople(['last']);
    expect((await gallery()).cohort).toMatchObject({ version: 41, people: 41 });
  });

  it('are sealed under the key of the gallery', async () => {
    await enrolPeople(people(12));
    const one = await gallery();
    const spec = embeddingSpecText(stand.deps.engine.embeddingSpec);
    expect(stand.deps.vault.gallery(one).openCohort(spec, one.cohort!.sealed)).toMatchObject({
      people: 12,
      complete: true,
    });
    expect(() => stand.deps.vault.gallery(one).openCohort('another pack', one.cohort!.sealed)).toThrow();
    expect(
      galleryScores(stand.deps, { ...one, cohort: { ...one.cohort!, sealed: Buffer.alloc(40) } }),
    ).toMatchObject({ facts: { cohort_people: 0 } });
  });

  it('are measured anew when they do not open', async () => {
    await enrolPeople(people(12));
    const { id, version, cohort } = await gallery();
    const { store, cohorts } = stand.deps;
    await store.galleries.storeCohort(id, null);
    await store.galleries.storeCohort(id, { version, people: 12, sealed: Buffer.alloc(40) });
    expect(galleryScores(stand.deps, await gallery()).facts.cohort_people).toBe(0);
    await cohorts.settled();
    expect(galleryScores(stand.deps, await gallery()).facts).toEqual({
      cohort_version: cohort!.version,
      cohort_people: 12,
    });
  });

  it('are of 512 people at most, drawn by a key that clients do not know', async () => {
    await enrolPeople(people(520));
    expect((await gallery()).cohort).toMatchObject({ people: 512 });
  });
});

describe('people enrolled under many user_ids', () => {
  const sameFace = async (names: readonly string[]) => {
    for (const userId of names) await stand.enrol(caller, userId, userId, ani);
    await stand.deps.cohorts.settled();
  };

  it('count as one: a gallery of one person is not normalised', async () => {
    await sameFace(people(12));
    expect((await gallery()).cohort).toBeNull();
    const tilted = await base64(drawnFace({ person: 'ani', tilt: 12, brightness: 0.7 }));
    const { people: found } = await stand.services.recognition.identify(caller, {
      facegalleryId,
      image: tilted,
    });
    expect(found).not.toEqual([]);
  });

  it('do not replace the statistics of the others', async () => {
    await enrolPeople(people(12));
    await sameFace(people(12, 'ani'));
    expect((await gallery()).cohort).toMatchObject({ people: 13 });
  });

  it('end statistics when nobody else is left', async () => {
    await enrolPeople(people(5));
    await sameFace(['ani', 'again']);
    for (const userId of people(3)) await stand.services.faces.remove(caller, { facegalleryId, userId });
    await stand.deps.cohorts.settled();
    await sameFace(people(4, 'ani'));
    expect((await gallery()).cohort).toBeNull();
  });
});

describe('normalised similarities', () => {
  it('are lower than those of inner products among people who are alike', async () => {
    await enrolPeople(people(40), { alike: 0.9 });
    const [probe, reference] = [templateOf('probe', 0.9), templateOf('p1', 0.9)];
    const { query, similarityOf } = galleryScores(stand.deps, await gallery()).probe(probe);
    expect(similarityOf(innerProduct(query, reference))).toBeLessThan(
      stand.deps.engine.similarity(probe, reference) - 0.2,
    );
  });

  it('give a search the order of the scores of all people', async () => {
    await enrolPeople(people(80), { alike: 1 });
    const record = await gallery();
    for (const name of people(5, 'probe')) {
      const { query, similarityOf } = galleryScores(stand.deps, record).probe(templateOf(name, 1));
      const all = people(80)
        .map((userId) => ({
          userId,
          similarity: similarityOf(innerProduct(query, templateOf(userId, 1))),
          product: innerProduct(query, templateOf(userId, 1)),
        }))
        .sort((a, b) => b.product - a.product);
      const found = await stand.deps.matcher.search(record, query, 10);
      expect(found.map(({ userId }) => userId)).toEqual(all.slice(0, 10).map(({ userId }) => userId));
      const similarities = all.map(({ similarity }) => similarity);
      expect(similarities).toEqual([...similarities].sort((a, b) => b - a));
    }
  });

  it('are the same in verification and identification, and 1 of the enrolled picture', async () => {
    await stand.enrol(caller, 'ani', 'Ani', ani);
    await enrolPeople(people(15));
    const tilted = await base64(drawnFace({ person: 'ani', tilt: 12, brightness: 0.7 }));
    for (const image of [ani, tilted]) {
      const verified = await stand.services.recognition.verify(caller, {
        facegalleryId,
        userId: 'ani',
        image,
      });
      const identified = await stand.services.recognition.identify(caller, {
        facegalleryId,
        image,
        threshold: 0,
      });
      const [found] = identified.people;
      expect(found).toMatchObject({ userId: 'ani', confidence: verified.similarity });
      if (image === ani) expect(verified.similarity).toBe(1);
      else expect(verified.similarity).toBeLessThan(1);
    }
    await expect(stand.enrol(caller, 'again', 'Again', ani, { checkDuplicate: true })).rejects.toMatchObject({
      fields: { duplicate_user_id: 'ani', similarity: 1 },
    });
  });

  it('are recorded with the version and the number of people', async () => {
    await stand.enrol(caller, 'ani', 'Ani', ani);
    await enrolPeople(people(12));
    await stand.services.recognition.verify(caller, { facegalleryId, userId: 'ani', image: ani });
    await stand.deps.events.settled();
    const [record] = await stand.deps.store.audit.list({ limit: 1 });
    expect(record).toMatchObject({
      event: 'face_verified',
      facts: { cohort_version: 13, cohort_people: 13 },
    });
    const faceParameters = { spoofDetection: false };
    await stand.services.liveness.single(caller, {
      facegalleryId,
      userId: 'ani',
      image: ani,
      faceParameters,
    });
    await stand.services.liveness.single(caller, { image: ani, faceParameters });
    await stand.deps.events.settled();
    const [without, judged] = await stand.deps.store.audit.list({ limit: 2 });
    expect(judged).toMatchObject({
      event: 'liveness_judged',
      facts: { cohort_version: 13, cohort_people: 13 },
    });
    expect(without!.facts).not.toHaveProperty('cohort_version');
    const [described] = (await stand.services.galleries.describe(caller, {})).first;
    expect(described).toMatchObject({ cohortMode: 'auto', cohort: { version: 13, people: 13 } });
  });
});
