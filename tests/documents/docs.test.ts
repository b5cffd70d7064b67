import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpointList, statuses } from '@wajah/contract';
import { commandHelp, loadConfig, settingList } from '@wajah/server';
import { describe, expect, it } from 'vitest';
import { environmentExample, referencePages } from '../../packages/guide/src/reference.ts';
import { textOf } from '../../packages/server/src/config/finding.ts';
import { padInstallCommands, padPackMissing } from '../../packages/server/src/config/findings.ts';
import { root } from '../support/sources.ts';

const padNotice = textOf(padPackMissing(loadConfig({})));

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = ['README.md', ...markdownBelow('docs')];
const everything = pages.map(read).join('\n');

function markdownBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `${folder}/${path}`);
}

const reference = referencePages();

it('wajah.env.example: every setting, none in force, and the defaults when all are uncommented', () => {
  const lines = environmentExample().split('\n');
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  const given = lines.flatMap((line) => [...line.matchAll(/^#(WAJAH_[A-Z\d_]+)=(.*)$/g)]);
  const env = Object.fromEntries(given.map(([, name, value]) => [name, value]));
  expect(Object.keys(env)).toEqual(settingList.map(({ name }) => name));
  expect(loadConfig(env)).toEqual(loadConfig({}));
});

const named: [what: string, page: string, marks: string[]][] = [
  ['setting', 'docs/configuration.md', settingList.map(({ name }) => `| \`${name}\` |`)],
  ['status', 'docs/api.md', Object.values(statuses).flatMap((one) => [`| ${one.status} |`, one.message])],
  ['command', 'docs/commands.md', commandHelp().map(({ name }) => `\n## ${name}\n`)],
  ['endpoint', 'docs/api.md', endpointList.map(({ path }) => `\`${path}\``)],
];
it.each(named)('the pages made from the code name every %s', (_, page, marks) => {
  expect(marks.length).toBeGreaterThan(10);
  expect(marks.filter((mark) => !reference.get(page)!.includes(mark))).toEqual([]);
});

describe('the documents name', () => {
  it('no unknown setting', () => {
    const secrets = settingList.filter(({ secret }) => secret !== undefined);
    const known = new Set(
      [...settingList, ...secrets.map(({ name }) => ({ name: `${name}_FILE` }))].map(
        ({ name }) => name as string,
      ),
    );
    // Variables of tests are no settings.
    const named = new Set(everything.match(/\bWAJAH_(?!TEST_)[A-Z\d_]+\b/g));
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  });

  it('the recommended PAD pack, with the commands that install it', () => {
    for (const page of ['docs/guide.md', 'docs/liveness.md', 'docs/operations/models.md']) {
      for (const command of padInstallCommands)
        expect([page, read(page)]).toEqual([page, expect.stringContaining(command)]);
    }
    expect(
      read('docs/operations/models.md').replaceAll('`', '"').replaceAll('npx --no wajah', 'wajah'),
    ).toContain(padNotice);
  });

  it('exactly the dependencies', () => {
    const folders = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/`);
    const manifests = ['', 'lab/', 'models/', ...folders].map((folder) => `${folder}package.json`);
    const used = new Set(
      manifests.flatMap((path) => {
        const { dependencies = {}, devDependencies = {} } = JSON.parse(read(path)) as Record<
          string,
          Record<string, string> | undefined
        >;
        return Object.keys({ ...dependencies, ...devDependencies }).filter(
          (name) => !name.startsWith('@wajah/'),
        );
      }),
    );
    const listed = [...read('docs/dev/dependencies.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
      (match) => match[1],
    );
    expect(new Set(listed)).toEqual(used);
  });
});

const results = readdirSync(join(root, 'lab/results'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.json'),
);

interface Result {
  readonly tables: readonly { title: string; columns: string[]; rows: string[][] }[];
}

const resultOf = (name: string) => JSON.parse(read(`lab/results/${name}.json`)) as Result;

const pooledValue = (name: string, metric: string) =>
  resultOf(name)
    .tables.find(({ title }) => title.startsWith('Pooled'))
    ?.rows.find(([named]) => named === metric)?.[1];

describe('measured figures', () => {
  it.each(results)('%s has tables of equal rows', (name) => {
    const { tables } = resultOf(name.replace(/\.json$/, ''));
    expect(tables.length).toBeGreaterThan(0);
    for (const { title, columns, rows } of tables) {
      expect([title, rows.filter((row) => row.length !== columns.length)]).toEqual([title, []]);
      expect([title, rows.flat().some((cell) => /\d/.test(cell))]).toEqual([title, true]);
    }
  });

  it('in rows of pages that name a result are those of the result', () => {
    const rows = pages.flatMap((path) =>
      [...read(path).matchAll(/^\| (.+)\(\S*lab\/results\/([\w-]+)\.json\) \|$/gm)].map(
        ([, cells = '', name]) => ({ path, name, cells: cells.split('|').slice(1, -1) }),
      ),
    );
    expect(rows.length).toBeGreaterThan(30);
    const spoofs = rows.filter(({ name }) => name === 'pad-test').map(({ cells }) => cells[0]?.trim());
    // A species of seven pictures says less than all of them.
    const pooled = ['unclear, bona fide', 'BPCER, all', 'APCER, unclear accepted', 'APCER, unclear refused'];
    expect(spoofs.slice(0, 4)).toEqual(pooled.map((metric) => pooledValue('pad-test', metric)));
    const wrong = rows.filter(({ name, cells }) => {
      const text = read(`lab/results/${name}.json`);
      return !cells.every((cell) => text.includes(cell.trim()));
    });
    expect(wrong).toEqual([]);
  });
});
