import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/temporary.ts';
import { drawPictures, startTestApp, type TestClient } from '../../support/test-app.ts';
import { goodFields, tokenEndpoints } from '../fixture.ts';

const [server, pictures] = await Promise.all([startTestApp(), drawPictures()]);

/** All that a client can see of itself. */
async function seenBy(client: TestClient) {
  const { body } = await client.call(endpoints.listGalleries);
  const lists = [];
  for (const facegallery_id of body.facegallery_id) {
    lists.push((await client.call(endpoints.listFaces, { facegallery_id })).body);
  }
  const { facegalleries } = (await client.call(endpoints.describeGalleries)).body;
  const { n_face, n_facegallery } = (await client.call(endpoints.getCounters)).body.remaining_limit;
  return { facegalleries, lists, n_face, n_facegallery };
}

async function enrol(client: TestClient, facegallery_id: string, user_name: string, image: string) {
  expect((await client.enrol('ani', image, { user_name, facegallery_id })).body.status).toBe('200');
}

describe('two clients', () => {
  it("use the same names and never see each other's data, whatever they call", async () => {
    const [victim, other] = [await server.client(), await server.client()];
    for (const [client, name, image] of [
      [victim, 'of the victim', pictures.ani],
      [other, 'of the other', pictures.budi],
    ] as const) {
      await client.call(endpoints.createGallery, { facegallery_id: 'same' });
      await enrol(client, 'same', name, image);
    }
    const before = await seenBy(victim);

    for (const endpoint of tokenEndpoints) {
      for (const gallery of ['same', victim.gallery]) {
        const { body } = await other.call(endpoint, goodFields(endpoint, gallery, pictures));
        expect(JSON.stringify(body)).not.toMatch(/of the victim/);
        expect(JSON.stringify(body)).not.toContain(victim.gallery);
      }
      expect([endpoint.id, await seenBy(victim)]).toEqual([endpoint.id, before]);
    }
    const verified = await victim.call(
      endpoints.verifyFace,
      goodFields(endpoints.verifyFace, 'same', pictures),
    );
    expect(verified.body).toMatchObject({ status: '200', user_name: 'of the victim', verified: true });
  });

  it("do not find each other's users in an identification", async () => {
    const [first, second] = [await server.client(), await server.client()];
    await enrol(first, first.gallery, 'Ani', pictures.ani);
    await enrol(second, second.gallery, 'Budi', pictures.budi);
    const image = pictures.aniAgain;
    const own = await first.call(endpoints.identifyFace, { facegallery_id: first.gallery, image });
    expect(own.body.return).toMatchObject([{ user_id: 'ani', user_name: 'Ani', mask: false }]);
    const foreign = await second.call(endpoints.identifyFace, { facegallery_id: second.gallery, image });
    expect(foreign.body).toMatchObject({ status: '411', return: [] });
  });
});

it('keep their data over a restart', async () => {
  const directory = temporaryDirectory();
  const first = await startTestApp({}, { directory });
  const client = await first.client();
  await enrol(client, client.gallery, 'Ani', pictures.ani);
  const before = await seenBy(client);
  await first.close();

  const second = await startTestApp({}, { directory });
  const again: TestClient = { ...client, call: (...call) => second.call(client.token, ...call) };
  expect(await seenBy(again)).toEqual(before);
  const verified = await again.call(
    endpoints.verifyFace,
    goodFields(endpoints.verifyFace, client.gallery, pictures),
  );
  expect(verified.body).toMatchObject({ user_name: 'Ani', verified: true });
});
