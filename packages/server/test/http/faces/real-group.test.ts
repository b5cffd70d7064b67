import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { startTestApp, type TestClient } from '../../support/test-app.ts';

const folder = fileURLToPath(new URL('../../../../../../shared/eval/', import.meta.url));
const base64 = (file: string) => readFileSync(`${folder}${file}`).toString('base64');
const cast = ['amy', 'bernadette', 'howard', 'leonard', 'penny', 'raj', 'sheldon', 'stuart'];

/** The user of each face of a photograph of five people, in the order of the faces; undefined: not identified. */
async function usersOf(client: TestClient, reference: number): Promise<(string | undefined)[]> {
  const facegallery_id = `references ${reference}`;
  await client.call(endpoints.createGallery, { facegallery_id });
  for (const user_id of cast) {
    const image = base64(`verification/bbt/${user_id}/${user_id}${reference}.jpg`);
    const fields = { user_id, user_name: user_id, facegallery_id, image };
    expect((await client.call(endpoints.enrolFace, fields)).body.status).toBe('200');
  }
  const fields = { facegallery_id, image: base64('crowd/bbt5.jpg'), faces: 20 };
  const { body } = await client.call(endpoints.identifyFace, fields);
  expect(body.found).toBe(5);
  return body.faces.map(({ candidates: [best] }: { candidates: { user_id: string }[] }) => best?.user_id);
}

describe.skipIf(!existsSync(`${folder}crowd/bbt5.jpg`))('a photograph of a group', () => {
  it('has the same person at each face with other reference pictures, and nobody twice', async () => {
    const server = await startTestApp();
    const client = await server.client();
    const [one, other] = [await usersOf(client, 1), await usersOf(client, 2)];
    for (const users of [one, other]) {
      const identified = users.filter((user) => user !== undefined);
      expect(identified.length).toBeGreaterThanOrEqual(4);
      expect(new Set(identified).size).toBe(identified.length);
    }
    for (const [face, user] of one.entries()) {
      if (user !== undefined && other[face] !== undefined) expect(other[face]).toBe(user);
    }
  });
});
