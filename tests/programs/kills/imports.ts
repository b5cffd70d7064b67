import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { temporaryDirectory } from '../../../packages/server/test/support/temporary.ts';
import { picture } from '../../support/enrolling.ts';
import { Run, wajah } from '../../support/program.ts';
import { killAtLines, type Place } from './place.ts';

const names = Array.from({ length: 120 }, (_, i) => `p${String(i).padStart(3, '0')}`);

/** Everybody is enrolled once, and reported once. */
export async function everybodyIsEnrolledOnce({ settings }: Place): Promise<void> {
  await wajah(settings, 'client', 'create', 'acme');
  const folder = temporaryDirectory();
  for (const name of names) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, '1.jpg'), Buffer.from(await picture('budi'), 'base64'));
    writeFileSync(join(folder, name, '2.jpg'), Buffer.from(await picture('budi', true), 'base64'));
  }
  const report = join(temporaryDirectory(), 'report.jsonl');
  const into = ['--client', 'acme', '--gallery', 'staff', '--create-gallery', '--report', report];
  const args = ['import', 'folder', folder, ...into];
  const lines = () => (existsSync(report) ? readFileSync(report, 'utf8').split('\n') : []);
  for (let kills = 0; kills < 3; kills += 1)
    await killAtLines(new Run(settings, args), () => lines().length > kills * 30 + 10);
  const last = await wajah(settings, ...args);
  expect(last.code).toBe(0);
  expect((await wajah(settings, 'gallery', 'list', 'acme')).out).toMatch(/^staff +120 /m);
  const reported = lines()
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { file: string; person: string; status: string });
  const enrolled = reported.filter(({ status }) => status === 'enrolled');
  // What was written and not yet reported when the process was killed is reported as skipped.
  expect(new Set(enrolled.map(({ file }) => file)).size).toBe(enrolled.length);
  expect(new Set(reported.map(({ person }) => person)).size).toBe(names.length);
}
