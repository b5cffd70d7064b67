import { type Endpoint, endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import {
  drawnFace,
  drawnPicture,
  drawnSelfieWithCard,
  PERSONS,
  type PersonName,
} from '../../../engine/test/drawn/drawn-face.ts';
import { cloudSimilarity } from '../../src/http/scales.ts';
import { base64 } from '../support/requests.ts';
import { startTestApp } from '../support/test-app.ts';

/** Limits that programs of that cloud carry. */
const [same, certain] = [0.75, 0.95];

const server = await startTestApp({ WAJAH_COMPAT: 'risetai' });
const client = await server.client();
const names = Object.keys(PERSONS) as PersonName[];
const stranger = names.at(-1)!;
const people = names.slice(0, -1);
const first = new Map<string, string>();
const other = new Map<string, string>();
for (const person of names) {
  first.set(person, await base64(drawnFace({ person })));
  other.set(person, await base64(drawnFace({ person, tilt: 5, brightness: 0.9, format: 'jpeg' })));
}
for (const person of people) await client.enrol(person, first.get(person)!);

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function call(endpoint: Endpoint, fields: object, headers: Record<string, string> = {}): Promise<any> {
  const { methods, path: url } = endpoint;
  const payload = { facegallery_id: client.gallery, ...fields };
  const method = methods[0] as 'POST';
  const answer = await server.app.inject({
    method,
    url,
    headers: { accesstoken: client.token, ...headers },
    payload,
  });
  return answer.json().risetai ?? answer.json();
}

/** As the console asks, whose answers are on the own scale. */
const asConsole = (endpoint: Endpoint, fields: object) =>
  call(endpoint, fields, { 'sec-fetch-site': 'same-origin' });

describe('programs with limits of their own', () => {
  it('0.95 passes other pictures of each person, and 0.75 no other person', async () => {
    const seen = { genuine: 0, impostor: 0 };
    for (const user_id of people) {
      for (const probe of names) {
        const { similarity, verified } = await call(endpoints.verifyFace, {
          user_id,
          image: other.get(probe),
        });
        expect(verified).toBe(similarity >= same);
        expect(similarity >= certain, `${user_id}, ${probe}: ${similarity}`).toBe(probe === user_id);
        expect(similarity >= same).toBe(probe === user_id);
        seen[probe === user_id ? 'genuine' : 'impostor'] += 1;
      }
    }
    expect(seen).toEqual({ genuine: people.length, impostor: people.length ** 2 });
  });

  it('identify them, and nobody else', async () => {
    for (const probe of people) {
      const found = await call(endpoints.identifyFace, { image: other.get(probe), top_k: 3 });
      expect(found.return).toMatchObject([{ user_id: probe }]);
      expect(Number(found.return[0].confidence_level)).toBeGreaterThanOrEqual(certain);
    }
    expect((await call(endpoints.identifyFace, { image: other.get(stranger) })).status).toBe('411');
  });

  it('compare pictures', async () => {
    const source_image = first.get(people[0]!);
    for (const probe of names) {
      const compared = await call(endpoints.compareImages, { source_image, target_image: other.get(probe) });
      expect(compared.verified).toBe(probe === people[0]);
      expect(compared.similarity >= (compared.verified ? certain : same)).toBe(compared.verified);
    }
  });

  it('enrol with a card, with the minimum_similarity of the documentation', async () => {
    const person = { user_name: 'Ani', minimum_similarity: 0.8 };
    const own = await base64(drawnSelfieWithCard({ person: 'ani', onCard: 'ani' }));
    const foreign = await base64(drawnSelfieWithCard({ person: 'ani', onCard: 'budi' }));
    const refused = await call(endpoints.enrolFaceKtp, { ...person, user_id: 'card', image: foreign });
    expect(refused).toMatchObject({ status: '411', similarity: expect.any(Number) });
    expect(refused.similarity).toBeLessThan(same);
    const enrolled = await call(endpoints.enrolFaceKtp, { ...person, user_id: 'card', image: own });
    expect(enrolled.similarity).toBeGreaterThanOrEqual(0.8);
    await call(endpoints.deleteFace, { user_id: 'card' });
  });

  it('judge liveness of a user', async () => {
    const image = other.get('ani');
    const face_parameters = [{ angle: 'face front' }, { spoof_detection: false }];
    const single = await call(endpoints.verifyLiveness, { user_id: 'ani', image, face_parameters });
    expect(single.results.similarity).toBeGreaterThanOrEqual(certain);
    expect(single.confidence_level).toBeLessThanOrEqual(single.results.similarity);
    const batch = [{ image, face_parameter: 'face front', spoof_detection: false }];
    for (const user_id of ['ani', 'budi']) {
      const { results } = await call(endpoints.verifyLivenessBatch, { user_id, batch });
      expect(results.image1.verified).toBe(user_id === 'ani');
      expect(results.image1.similarity >= certain).toBe(user_id === 'ani');
      expect(results.image1.similarity >= same).toBe(user_id === 'ani');
    }
  });
});

describe('a threshold of a call', () => {
  const budiAsAni = { user_id: 'ani', image: other.get('budi') };

  it('is on the scale of the answer', async () => {
    const { similarity } = await call(endpoints.verifyFace, budiAsAni);
    const at = await call(endpoints.verifyFace, { ...budiAsAni, threshold: similarity });
    const above = await call(endpoints.verifyFace, { ...budiAsAni, threshold: similarity + 0.0001 });
    expect([at.verified, at.similarity]).toEqual([true, similarity]);
    expect([above.verified, above.similarity, above.status]).toEqual([false, similarity, '411']);
    const searched = { image: other.get('budi'), top_k: 9 };
    const all = await call(endpoints.identifyFace, { ...searched, threshold: 0 });
    expect(all.return).toHaveLength(people.length);
    const { confidence_level: least } = all.return.at(-1);
    for (const [threshold, count] of [
      [least, people.length],
      [Number(least) + 0.0001, people.length - 1],
    ]) {
      const found = await call(endpoints.identifyFace, { ...searched, threshold });
      expect(found.return).toHaveLength(Number(count));
    }
  });

  it('holds for each of several faces', async () => {
    const faces = [
      { person: 'ani', x: 230, y: 250, size: 220 },
      { person: 'budi', x: 650, y: 250, size: 180 },
    ] as const;
    const image = await base64(drawnPicture({ width: 900, height: 500, faces }));
    const ofBoth = { image, faces: 2 };
    const { return: both } = await call(endpoints.identifyFace, ofBoth);
    expect(both.map(({ user_id }: { user_id: string }) => user_id)).toEqual(['ani', 'budi']);
    const [least, most] = both
      .map((one: { confidence_level: string }) => Number(one.confidence_level))
      .sort();
    expect(least).toBeGreaterThanOrEqual(same);
    for (const [threshold, found] of [
      [least, 2],
      [least + 0.0001, least === most ? 0 : 1],
    ]) {
      const again = await call(endpoints.identifyFace, { ...ofBoth, threshold });
      expect(again.return.filter(({ user_id }: { user_id: string }) => user_id in PERSONS)).toHaveLength(
        found,
      );
    }
  });

  it('is refused as on the own scale where it is none', async () => {
    for (const wrong of [{ threshold: 1.1 }, { threshold: 'high' }, { threshold: 0.8, far: 1e-4 }]) {
      const [theirs, own] = await Promise.all([
        call(endpoints.verifyFace, { ...budiAsAni, ...wrong }),
        asConsole(endpoints.verifyFace, { ...budiAsAni, ...wrong }),
      ]);
      expect([theirs.status, theirs.status_message]).toEqual([own.status, own.status_message]);
      expect(own.status).toBe('400');
    }
  });
});

it("pages of the server's own origin, and activity, have the own scale", async () => {
  const probe = { user_id: 'ani', image: other.get('budi') };
  const own = await asConsole(endpoints.verifyFace, probe);
  expect(own.threshold).toBe(0.625);
  const theirs = await call(endpoints.verifyFace, probe);
  expect(theirs.similarity).toBe(cloudSimilarity(own.similarity, own.threshold));
  expect(theirs.similarity).not.toBe(own.similarity);
  const { refusals } = await call(endpoints.listRefusals, {});
  expect(refusals[0].similarity).toBe(own.similarity);
});
