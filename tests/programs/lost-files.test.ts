import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedEngine } from '../../packages/engine/test/support/shared-engine.ts';
import { loadConfig } from '../../packages/server/src/config/config.ts';
import { textOf } from '../../packages/server/src/config/finding.ts';
import { runDoctor } from '../../packages/server/src/features/doctor/doctor.ts';
import { openCore } from '../../packages/server/src/server/context.ts';
import { createLogger } from '../../packages/server/src/server/logger.ts';
import { findLoss } from '../../packages/server/src/store/lost-data.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite-store.ts';
import { face } from '../../packages/server/test/support/store.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { newClient } from '../support/enrolling.ts';
import { serve } from '../support/program.ts';

const names = ['wajah.db', 'wajah.db-wal', 'wajah.db-shm', 'wajah.db-mark', 'secret.key', 'signing-key.json'];
const others = (name: string) => names.filter((one) => one !== name);

function copy(from: string, to: string, files: readonly string[]): void {
  for (const name of files) if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
}

/** What a tired operator makes of a directory. @param to empty */
type Copy = (today: string, yesterday: string, to: string) => void;

const ofFile = (name: string): [title: string, copy: Copy][] => [
  [`${name} alone`, (today, _, to) => copy(today, to, [name])],
  [`${name} missing`, (today, _, to) => copy(today, to, others(name))],
  [
    `${name} cut in half`,
    (today, _, to) => {
      copy(today, to, names);
      truncateSync(join(to, name), Math.floor(statSync(join(to, name)).size / 2));
    },
  ],
  [
    `${name} of yesterday`,
    (today, yesterday, to) => {
      copy(today, to, others(name));
      copy(yesterday, to, [name]);
    },
  ],
];

const copies: readonly (readonly [string, Copy])[] = [
  ['everything', (today, _, to) => copy(today, to, names)],
  ['everything of yesterday', (_, yesterday, to) => copy(yesterday, to, names)],
  ...names.flatMap(ofFile),
  [
    'the database with its keys',
    (today, _, to) => copy(today, to, ['wajah.db', 'secret.key', 'signing-key.json']),
  ],
  ['the database and its log', (today, _, to) => copy(today, to, ['wajah.db', 'wajah.db-wal', 'secret.key'])],
  ['the keys', (today, _, to) => copy(today, to, ['secret.key', 'signing-key.json'])],
  [
    'a log with a wrong bit',
    (today, _, to) => {
      copy(today, to, names);
      const log = readFileSync(join(to, 'wajah.db-wal'));
      log[100]! ^= 1;
      writeFileSync(join(to, 'wajah.db-wal'), log);
    },
  ],
];

const settingsOf = (directory: string) => ({ WAJAH_DATA_DIR: directory, WAJAH_ENV_FILE: '/dev/null' });

/** What a start finds: the people, or why it ends. */
async function start(directory: string): Promise<readonly string[] | string> {
  try {
    const engine = await sharedEngine();
    const starting = { comparer: async () => engine };
    const core = await openCore(loadConfig(settingsOf(directory)), createLogger('silent'), starting);
    const gallery = await core.store.galleries.get('acme', 'acme@trial');
    const people = gallery ? await core.store.faces.list(gallery.id) : [];
    await core.close();
    return people.map(({ userId }) => userId);
  } catch (error) {
    return (error as Error).message;
  }
}

const digests = (directory: string) =>
  names.flatMap((name) => {
    const bytes =
      name.endsWith('-shm') || !existsSync(join(directory, name)) ? '' : readFileSync(join(directory, name));
    return bytes.length === 0 ? [] : `${name} ${createHash('sha256').update(bytes).digest('hex')}`;
  });

/** Yesterday's copy was made of a server that was stopped, or killed. @param people besides the enrolled ones */
async function installation(people: number, yesterdayBy: NodeJS.Signals) {
  const filled = temporaryDirectory();
  const first = await serve({ WAJAH_DATA_DIR: filled });
  const acme = await newClient({ WAJAH_DATA_DIR: filled }, 'acme');
  await acme.enrol(first.url, 'budi', 'budi');
  await first.stop('SIGTERM');
  if (people > 0) await enrolMany(filled, people);
  // The driver of this process closes its file late, as a program that lives would not.
  const [today, yesterday] = [copied(filled), temporaryDirectory()];
  const settings = { WAJAH_DATA_DIR: today };
  await (await serve(settings)).stop(yesterdayBy);
  copy(today, yesterday, names);
  const second = await serve(settings);
  await acme.enrol(second.url, 'ani', 'ani');
  await second.stop('SIGKILL');
  return { today, yesterday, people: await start(copied(today)), former: await start(copied(yesterday)) };
}

async function enrolMany(directory: string, people: number): Promise<void> {
  const store = openSqliteStore(join(directory, 'wajah.db'));
  const { id } = (await store.galleries.get('acme', 'acme@trial'))!;
  await Promise.all(Array.from({ length: people }, (_, i) => store.faces.put(id, face(`u${i}`), false)));
  await store.close();
}

function copied(from: string): string {
  const to = temporaryDirectory();
  copy(from, to, names);
  return to;
}

describe.each([
  ['a young installation', 0, 'SIGTERM'],
  ['an older one', 2000, 'SIGKILL'],
] as const)('of the data directory of %s', (_, count, signal) => {
  let made: Awaited<ReturnType<typeof installation>>;
  beforeAll(async () => {
    made = await installation(count, signal);
    expect(made.people).toContain('ani');
    expect(made.former).not.toContain('ani');
  });

  it.each(copies)('%s: is complete, or refused as it is, and doctor says why', async (title, make) => {
    const to = temporaryDirectory();
    make(made.today, made.yesterday, to);
    const before = digests(to);
    const doctor = await runDoctor(settingsOf(to), ['store']);
    const faults = doctor.flatMap((found) =>
      found.severity === 'bad' ? `${found.id}: ${textOf(found)}` : [],
    );
    const found = await start(to);
    if (process.env['SHOW'])
      console.log(
        `${title} => ${typeof found === 'string' ? found : found.length}\n      ${faults.join('\n      ')}`,
      );
    if (typeof found !== 'string') {
      expect(faults).toEqual([]);
      expect(found).toEqual(title === 'everything of yesterday' ? made.former : made.people);
      return;
    }
    expect(faults).not.toEqual([]);
    expect(found).toMatch(/put .*back|restore|set the key/);
    // What is refused is as it was, or complete but for its keys: the right files are enough.
    const isOfKeys = /^(secret|signing)/.test(title) && !title.endsWith('alone');
    if (!isOfKeys) expect(digests(to)).toEqual(before);
    copy(made.today, to, isOfKeys ? names.filter((name) => !name.startsWith('wajah')) : names);
    expect(await start(to)).toEqual(made.people);
  });

  it('is opened without what is lost where that is agreed to, and nothing is deleted', async () => {
    for (const [title, make] of copies) {
      const to = temporaryDirectory();
      make(made.today, made.yesterday, to);
      const loss = /cut in half/.test(title) ? null : findLoss(join(to, 'wajah.db'));
      if (!loss) continue;
      const before = readdirSync(to);
      loss.accept();
      const opened = await start(to);
      // A file of the time of another log may be damaged as it is: then it is a backup that helps.
      const others = /secret\.key is missing|the file is damaged.*restore it from a backup/;
      expect([title, opened]).toEqual([
        title,
        typeof opened === 'string' ? expect.stringMatching(others) : expect.any(Array),
      ]);
      if (typeof opened === 'string' && opened.includes('is damaged')) continue;
      expect(findLoss(join(to, 'wajah.db'))).toBeNull();
      const left = readdirSync(to, { recursive: true }).map((name) => basename(String(name)));
      expect(left).toEqual(expect.arrayContaining(before.filter((name) => !/-(wal|shm)$/.test(name))));
    }
  });
});
