import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@wajah/contract';
import { expect, it } from 'vitest';
import { drawnFace } from '../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../support/requests.ts';
import { atEnd } from '../support/temporary.ts';
import { startTestApp } from '../support/test-app.ts';

/** A file system of a few MiB, for the test that runs; null where this user may not mount one. */
function mountSmallDisk(): string | null {
  if (process.platform !== 'linux') return null;
  const directory = mkdtempSync(join(tmpdir(), 'wajah-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', directory], { stdio: 'ignore' });
    return directory;
  } catch {
    rmSync(directory, { recursive: true });
    return null;
  }
}

function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  for (let size = 2 ** 20; size > 0; ) {
    try {
      writeSync(descriptor, Buffer.alloc(size));
    } catch {
      size = size > 1 ? size / 2 : 0;
    }
  }
  closeSync(descriptor);
}

it('a server on a full disk refuses to store, reads, erases and counts, and stores again when there is room', async ({
  skip,
}) => {
  const directory = mountSmallDisk();
  if (directory === null) return skip('No file system can be mounted here');
  atEnd(() => {
    // Lazy: the driver closes its files when they are garbage-collected.
    execFileSync('umount', ['-l', directory]);
    rmSync(directory, { recursive: true });
  });
  const server = await startTestApp({}, { directory: join(directory, 'data') });
  const client = await server.client({ hits: 10_000, galleries: -1 });
  const image = await base64(drawnFace());
  const filler = join(directory, 'filler');
  const faces = (userId: string) => ({
    facegallery_id: client.gallery,
    user_id: userId,
    user_name: userId,
    image,
  });
  for (const user of ['u', 'v']) {
    const { http } = await client.call(endpoints.enrolFace, { ...faces(user), force_register: true });
    expect(http).toBe(200);
  }
  const createGallery = (name: string) => client.call(endpoints.createGallery, { facegallery_id: name });

  fill(filler);
  // The log has room for some more writes.
  let stored = 0;
  let refused = await createGallery('stored-0');
  while (refused.http === 200) refused = await createGallery(`stored-${++stored}`);
  expect(refused).toMatchObject({
    http: 503,
    body: { detail: 'the disk of the store is full; try again' },
  });

  expect((await client.call(endpoints.verifyFace, faces('u'))).body).toMatchObject({ verified: true });
  const named = { facegallery_id: client.gallery };
  expect((await client.call(endpoints.identifyFace, faces('u'))).http).toBe(200);
  expect((await client.call(endpoints.detectFaces, faces('u'))).http).toBe(200);
  expect((await client.call(endpoints.listFaces, named)).body.faces).toHaveLength(2);
  expect((await client.call(endpoints.deleteFace, { ...named, user_id: 'u' })).http).toBe(200);
  expect((await client.call(endpoints.verifyFace, faces('u'))).body).toMatchObject({ status: '415' });
  expect((await client.call(endpoints.deleteGallery, named)).http).toBe(200);

  rmSync(filler);
  await expect.poll(async () => (await createGallery('c')).http, { interval: 300 }).toBe(200);
  // Verified twice, identified, detected, listed, deleted twice, created once: what was refused as busy does not count.
  // What could not be counted is counted with a call that follows.
  let followed = 0;
  const counted = async () => {
    expect((await client.call(endpoints.detectFaces, faces('u'))).http).toBe(200);
    followed += 1;
    return (await server.context.store.clients.get(client.id))!.used.hits - followed;
  };
  await expect.poll(counted).toBe(2 + stored + 8);
});
