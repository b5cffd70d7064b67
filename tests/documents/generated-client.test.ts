import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate, HttpClient } from 'openapi-typescript-codegen';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { drawPictures, startTestApp } from '../../packages/server/test/support/test-app.ts';
import { root } from '../support/sources.ts';

/** A program that uses the client generated from our OpenAPI document. */
const program = `
import { ApiError, type IdentifyFaceAnswer, type IdentifyFaceMiss, Wajah } from './client';

type Pictures = { ani: string; aniAgain: string; budi: string; nobody: string };
type Found = IdentifyFaceAnswer['return'][number];

const best = (answer: IdentifyFaceAnswer | IdentifyFaceMiss): Found | undefined =>
  answer.status === '200' ? answer.return[0] : undefined;

export async function use(BASE: string, client_id: string, password: string, pictures: Pictures) {
  const login = { client_id, password };
  const { access_token: TOKEN } = await new Wajah({ BASE }).oauth.clientToken({ requestBody: login });
  const { facegallery, face } = new Wajah({ BASE, TOKEN });
  const gallery = { facegallery_id: 'generated' };
  const { facegallery_id: facegalleryId } = await facegallery.createGallery({ requestBody: gallery });
  const ani = { ...gallery, user_id: 'ani', user_name: 'Ani' };
  const { aniAgain, budi, nobody } = pictures;
  const enrolled = await face.enrolFace({ requestBody: { ...ani, image: pictures.ani } });
  const verified = await face.verifyFace({ requestBody: { ...ani, image: aniAgain } });
  const identified = best(await face.identifyFace({ requestBody: { ...gallery, image: aniAgain } }));
  const unknown = best(await face.identifyFace({ requestBody: { ...gallery, image: budi } }));
  const refused = await face
    .enrolFace({ requestBody: { ...ani, user_id: 'nobody', image: nobody } })
    .catch((error: unknown) => (error instanceof ApiError ? error.body.status : error));
  const listed = await face.listFaces({ facegalleryId });
  const listedByPost = await face.listFacesByPost({ requestBody: gallery });
  const deleted = await face.deleteFace({ facegalleryId, userId: 'ani' });
  const left = await face.listFaces({ facegalleryId, limit: 10 });
  const { facegallery_id: galleries } = await facegallery.deleteGallery({ facegalleryId });
  return { enrolled, verified, identified, unknown, refused, listed, listedByPost, deleted, left, galleries };
}
`;

const folder = temporaryDirectory();

const server = await startTestApp();

it('a client generated from the OpenAPI document compiles and works', async () => {
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const input = (await (await fetch(`${url}/openapi.json`)).json()) as Record<string, unknown>;
  const output = join(folder, 'client');
  await generate({
    input,
    output,
    httpClient: HttpClient.FETCH,
    clientName: 'Wajah',
    useOptions: true,
    useUnionTypes: true,
  });
  writeFileSync(join(folder, 'use.ts'), program);

  const tsc = join(root, 'node_modules/typescript/lib/tsc.js');
  const options = ['--strict', '--noEmit', '--target', 'es2023', '--module', 'esnext'];
  const where = ['--moduleResolution', 'bundler', '--lib', 'es2023,dom,dom.iterable', '--types', ''];
  const { stdout, status } = spawnSync(
    process.execPath,
    [tsc, ...options, ...where, join(folder, 'use.ts')],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 });

  const { use } = (await import(join(folder, 'use.ts'))) as {
    use: (...given: unknown[]) => Promise<Record<string, unknown>>;
  };
  const { id, password } = await server.client();
  const person = { user_id: 'ani', user_name: 'Ani' };
  expect(await use(url, id, password, await drawPictures())).toMatchObject({
    enrolled: { status: '200' },
    verified: { verified: true, user_name: 'Ani' },
    identified: person,
    unknown: undefined,
    refused: '412',
    listed: { faces: [person] },
    listedByPost: { faces: [person] },
    deleted: { status: '200' },
    left: { faces: [] },
    galleries: 'generated',
  });
});
