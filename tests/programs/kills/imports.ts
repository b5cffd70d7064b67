import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { temporaryDirectory } from '../../../packages/server/test/support/temporary.ts';
import { newClient, picture, post } from '../../support/enrolling.ts';
import { Run, serve, wajah } from '../../support/program.ts';
import { killAtLines, type Place } from './place.ts';

const names = Array.from({ length: 120 }, (_, i) => `p${String(i).padStart(3, '0')}`);

/** Everybody is enrolled once with both pictures. */
export async function everybodyIsEnrolledOnce({ settings }: Place): Promise<void> {
  const server = await serve(settings);
  const acme = await newClient(settings, 'acme');
  const folder = temporaryDirectory();
  for (const name of names) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, '1.jpg'), Buffer.from(await picture('budi'), 'base64'));
    writeFileSync(join(folder, name, '2.jpg'), Buffer.from(await picture('budi', true), 'base64'));
  }
  const report = join(temporaryDirectory(), 'report.jsonl');
  const into = [
    ...['--gallery', 'staff', '--create-gallery', '--url', server.url, '--token', acme.token],
    ...['--report', report, '--journal', join(temporaryDirectory(), 'journal')],
  ];
  const args = ['import', 'folder', folder, ...into];
  const lines = () => (existsSync(report) ? readFileSync(report, 'utf8').split('\n') : []);
  for (let kills = 0; kills < 3; kills += 1)
    await killAtLines(new Run(settings, args), () => lines().length > kills * 30 + 10);
  const last = await wajah(settings, ...args);
  expect(last.code).toBe(0);
  expect((await wajah(settings, 'gallery', 'list', 'acme')).out).toMatch(/^staff +120 /m);
  const reported = lines()
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { person: string; status: string });
  // Who was sent and not yet reported when the process was killed is reported by the next.
  expect(new Set(reported.map(({ person }) => person)).size).toBe(names.length);
  for (const user_id of names) {
    const body = { facegallery_id: 'staff', user_id };
    expect(await post(server.url, acme.token, 'facegallery/describe-face', body)).toMatchObject({
      n_picture: 2,
    });
  }
  await server.stop('SIGTERM');
}
