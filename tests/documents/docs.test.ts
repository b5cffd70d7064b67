import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endpointList, statuses } from '@wajah/contract';
import { commandHelp, loadConfig, settingList } from '@wajah/server';
import { describe, expect, it } from 'vitest';
import { documents } from '../../evaluation/src/docs/documents.ts';
import { padInstallCommands, padNotice } from '../../packages/server/src/config/notices.ts';
import { root } from '../support/sources.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = ['README.md', ...markdownBelow('docs')];
const everything = pages.map(read).join('\n');

function markdownBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `${folder}/${path}`);
}

describe('documents made from the code', () => {
  it('are what is committed', async () => {
    for (const [path, text] of await documents()) {
      expect(read(path) === text, `${path} is stale: npm run docs`).toBe(true);
    }
  });
});

it('.env.example: every setting, none in force, and the defaults when all are uncommented', () => {
  const lines = read('.env.example').split('\n');
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  const given = lines.flatMap((line) => [...line.matchAll(/^#(WAJAH_[A-Z\d_]+)=(.*)$/g)]);
  const env = Object.fromEntries(given.map(([, name, value]) => [name, value]));
  expect(Object.keys(env)).toEqual(settingList.map(({ name }) => name));
  expect(loadConfig(env)).toEqual(loadConfig({}));
});

describe('the documents name', () => {
  it('every setting', () => {
    const names = settingList.map((setting) => setting.name);
    expect(names.filter((name) => !everything.includes(`\`${name}\``))).toEqual([]);
  });

  it('no unknown setting', () => {
    const known = new Set<string>(settingList.map((setting) => setting.name));
    // Variables of tests are no settings.
    const named = new Set(everything.match(/\bWAJAH_(?!TEST_)[A-Z\d_]+\b/g));
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  });

  it('every status', () => {
    const page = read('docs/errors.md');
    const missing = Object.values(statuses).filter(({ status, message }) => {
      return !page.includes(`| ${status} |`) || !page.includes(message);
    });
    expect(missing).toEqual([]);
  });

  it('the recommended PAD pack, with the commands that install it', () => {
    for (const page of ['docs/guide.md', 'docs/liveness.md', 'docs/operations/models.md']) {
      for (const command of padInstallCommands)
        expect([page, read(page)]).toEqual([page, expect.stringContaining(command)]);
    }
    expect(read('docs/operations/models.md').replaceAll('`', '"')).toContain(padNotice);
  });

  it('every command', () => {
    const names = commandHelp().map(({ name }) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !everything.includes(name))).toEqual([]);
  });

  it('every endpoint', () => {
    const paths = endpointList.map((endpoint) => endpoint.path);
    expect(paths.length).toBeGreaterThan(14);
    expect(paths.filter((path) => !everything.includes(path))).toEqual([]);
  });

  it('exactly the dependencies', () => {
    const manifests = [
      'package.json',
      ...[
        'capture',
        'client',
        'compreface',
        'console',
        'contract',
        'engine',
        'guide',
        'models',
        'server',
        'tools',
      ].map((n) => `packages/${n}/package.json`),
      'evaluation/package.json',
    ];
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
    const listed = [...read('docs/dependencies.md').matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]);
    expect(new Set(listed)).toEqual(used);
  });
});

const results = readdirSync(join(root, 'evaluation/results'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.json'),
);

describe('measured figures', () => {
  it.each(results)('%s has tables of equal rows', (name) => {
    const { tables } = JSON.parse(read(`evaluation/results/${name}`)) as {
      tables: { title: string; columns: string[]; rows: string[][] }[];
    };
    expect(tables.length).toBeGreaterThan(0);
    for (const { title, columns, rows } of tables) {
      expect([title, rows.filter((row) => row.length !== columns.length)]).toEqual([title, []]);
      expect([title, rows.flat().some((cell) => /\d/.test(cell))]).toEqual([title, true]);
    }
  });

  it('in rows of pages that name a result are those of the result', () => {
    const rows = pages.flatMap((path) =>
      [...read(path).matchAll(/^\| (.+)\(\S*evaluation\/results\/([\w-]+)\.json\) \|$/gm)].map(
        ([, cells = '', name]) => ({ path, name, cells: cells.split('|').slice(1, -1) }),
      ),
    );
    expect(rows.length).toBeGreaterThan(30);
    const wrong = rows.filter(({ name, cells }) => {
      const text = read(`evaluation/results/${name}.json`);
      return !cells.every((cell) => text.includes(cell.trim()));
    });
    expect(wrong).toEqual([]);
  });
});

/** The projects that `npx tsc -b` builds for one: itself and what it refers to. */
function built(project: string): string[] {
  const file = project.endsWith('.json') ? project : join(project, 'tsconfig.json');
  const { references = [] } = JSON.parse(read(file)) as { references?: { path: string }[] };
  return [project, ...references.flatMap(({ path }) => built(join(dirname(file), path)))];
}

it('are built from the contract, the engine, its models and the server only, so that they can be generated while other packages do not compile', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const [, project = ''] = /^tsc -b (\S+) && node \S+$/.exec(scripts['docs']!) ?? [];
  const needed = ['contract', 'engine', 'models', 'server'].map((name) => `packages/${name}`);
  expect([...new Set(built(project))].sort()).toEqual([project, ...needed].sort());
});
