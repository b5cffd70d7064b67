import { join } from 'node:path';
import { expect } from 'vitest';
import { writeTwinPack } from '../../../packages/engine/test/support/twin-pack.ts';
import { rounds } from '../../../packages/server/test/support/rounds.ts';
import { temporaryDirectory } from '../../../packages/server/test/support/temporary.ts';
import { newClient } from '../../support/enrolling.ts';
import { Run, serve, wajah } from '../../support/program.ts';
import { killWhen, type Place } from './place.ts';

/** Nothing of the gallery is compared until the next has made the templates that are missing, and only those. */
export async function reembeddingResumes({ settings }: Place): Promise<void> {
  const twin = await writeTwinPack(join(temporaryDirectory(), 'twin'));
  expect((await wajah(settings, 'models', 'pull', 'twin', '--from', twin)).code).toBe(0);
  const keeping = { ...settings, WAJAH_KEEP_FACE_CROPS: 'true' };
  const old = await serve(keeping);
  const client = await newClient(settings, 'many');
  const people = rounds(24);
  for (let i = 0; i < people; i++) await client.enrol(old.url, `u${i}`, 'ani');
  await old.stop('SIGTERM');
  const command = ['reembed', '--to', 'twin', '--client', 'many'];
  const first = new Run(settings, command);
  const { err, signal } = await killWhen(first, () => first.err.includes('reembedded: '));
  expect(signal).toBe('SIGKILL');
  const percent = Number(/reembedded: (\d+) %/.exec(err)?.[1]);

  for (const pack of ['twin', 'builtin']) {
    const between = await serve({ ...keeping, WAJAH_PACK: pack });
    for (const i of [0, people - 1]) {
      const answer = await client.verify(between.url, `u${i}`, 'ani');
      expect(answer).toMatchObject({ status: '403', error: 'galleryPartlyMigrated' });
    }
    await between.stop('SIGTERM');
  }
  const again = await wajah(settings, ...command);
  const [, made] = /many +many@trial +(\d+) +0 +done/.exec(again.out) ?? [];
  expect(Number(made)).toBeGreaterThan(0);
  expect(Number(made)).toBeLessThanOrEqual(Math.ceil(people * (1 - percent / 100)));
  const server = await serve({ ...keeping, WAJAH_PACK: 'twin' });
  expect(await client.verify(server.url, `u${people - 1}`, 'ani')).toMatchObject({ verified: true });
  expect(((await client.list(server.url))['faces'] as unknown[]).length).toBe(people);
  await server.stop('SIGTERM');
}
