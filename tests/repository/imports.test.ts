import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, isTest, ourSources, type Source, withoutComments } from '../support/sources.ts';

const product = ourSources().filter(({ path }) => !isTest(path));

/** A file's imports: of packages by name, of our own files by their path from the root. */
function targets({ path, text }: Source): string[] {
  return importsOf(text).map((name) =>
    name.startsWith('.') ? posix.join(posix.dirname(path), name) : packageName(name),
  );
}

function packageName(name: string): string {
  if (name.startsWith('node:')) return name;
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

/** `file → import` for every import that a rule does not allow. */
function offenders(inside: RegExp, allowed: (target: string) => boolean): string[] {
  return product
    .filter(({ path }) => inside.test(path))
    .flatMap((source) =>
      targets(source)
        .filter((target) => !allowed(target))
        .map((target) => `${source.path} → ${target}`),
    );
}

describe('packages import', () => {
  const rules: [name: string, inside: RegExp, allowed: RegExp][] = [
    ['contract', /^packages\/contract\/src\//, /^(packages\/contract\/src\/|zod$)/],
    [
      'engine',
      /^packages\/engine\/src\//,
      /^(packages\/engine\/|node:|sharp$|#onnxruntime$|protobufjs$|undici$|zod$)/,
    ],
    [
      'server',
      /^packages\/server\/src\//,
      /^(packages\/server\/|node:|@wajah\/(contract|engine)$|(?!@wajah\/|\.|packages\/|sharp$|onnxruntime-node$|protobufjs$|@vladmandic\/|human-mobilefacenet$)[a-z@])/,
    ],
    [
      'compreface',
      /^packages\/compreface\/src\//,
      /^(packages\/compreface\/src\/|node:|@wajah\/(contract|engine|server)$|fastify$|zod$)/,
    ],
    [
      'tools',
      /^packages\/tools\/src\//,
      /^(packages\/tools\/src\/|node:|@wajah\/(client|contract|engine|server)$|csv-parse$|zod$)/,
    ],
    ['models', /^models\/src\//, /^(models\/src\/|node:|protobufjs$|zod$)/],
    ['client', /^packages\/client\/src\/(?!node[./])/, /^packages\/client\/src\//],
    [
      'client for Node',
      /^packages\/client\/src\/node[./]/,
      /^(packages\/client\/src\/|node:(fs|fs\/promises|path)$)/,
    ],
    ['capture', /^packages\/capture\/src\//, /^packages\/capture\/src\//],
    [
      'console',
      /^packages\/console\/src\//,
      /^(packages\/console\/src\/|@wajah\/(client|capture|contract)$|preact$|@preact\/signals$|csv-parse\b)/,
    ],
    [
      'guide',
      /^packages\/guide\/src\//,
      /^(packages\/guide\/src\/|node:|@wajah\/(contract|server)$|github-slugger$|markdown-it$|minisearch$|vite$)/,
    ],
    ['lab', /^lab\/src\/(?!bench\/)/, /^(?!packages\/)/],
  ];
  it.each(rules)('%s: only what its rule allows', (_, inside, allowed) => {
    expect(offenders(inside, (target) => allowed.test(target))).toEqual([]);
  });
});

it.each([
  ['@wajah/lab', 'packages/server/src/cli/run.ts'],
  ['@wajah/compreface', 'packages/server/src/http/plugins/profile.ts'],
  ['@wajah/tools', 'packages/server/src/cli/run.ts'],
])('%s is named in the product only where it is loaded', (name, place) => {
  const named = product
    .filter(({ path, text }) => path.startsWith('packages/') && withoutComments(text).includes(name))
    .map(({ path }) => path);
  expect(named).toEqual([place]);
});

describe('one owner each', () => {
  const owners: [thing: string, target: RegExp, owner: RegExp][] = [
    ['sharp', /^sharp$/, /^packages\/engine\/src\/imaging\/decode\.ts$/],
    ['ONNX Runtime', /^#?onnxruntime/, /^packages\/engine\/src\/runtime\/session\.ts$/],
    ['the database drivers', /^(libsql|pg)$/, /^packages\/server\/src\/store\//],
    ['commander', /^commander$/, /^packages\/server\/src\/cli\//],
    ['fastify', /^(@?fastify(\/|$|-)|@fastify\/)/, /^packages\/(server\/src\/http|compreface\/src)\//],
  ];
  it.each(owners)('%s', (_, target, owner) => {
    const importers = product
      .filter(({ path }) => !owner.test(path) && !/^lab\//.test(path))
      .filter((source) => targets(source).some((name) => target.test(name)));
    expect(importers.map(({ path }) => path)).toEqual([]);
  });

  it('process.env: config.ts reads it, one line of the engine writes to it', () => {
    const users = product.filter(({ text }) =>
      /\bprocess\s*\.\s*env\b|\benv\b.*from 'node:process'/.test(withoutComments(text)),
    );
    expect(users.map(({ path }) => path)).toEqual([
      'packages/engine/src/runtime/session.ts',
      'packages/server/src/config/config.ts',
    ]);
  });

  it('SQL: the store, and the copies of stores', () => {
    const sql =
      /\b(select\s+[\w*,.\s]+\s+from|insert\s+into|delete\s+from|update\s+\w+\s+set|create\s+table)\b/i;
    const writers = product.filter(
      ({ path, text }) =>
        path.startsWith('packages/') &&
        !/^packages\/(server\/src\/(store|features\/\w+\/(store|tables)\.ts)|tools\/src\/(store|import\/compreface-source))/.test(
          path,
        ) &&
        sql.test(withoutComments(text)),
    );
    expect(writers.map(({ path }) => path)).toEqual([]);
  });

  it('numbers of statuses: the status table', () => {
    const pairs = product.filter(
      ({ path, text }) =>
        !/^packages\/contract\/src\/(refusals\/statuses|features\/\w+\/values)\.ts$/.test(path) &&
        !text.startsWith('// Generated by') &&
        /\bstatus:\s*'(4\d\d|5\d\d)'/.test(withoutComments(text)),
    );
    expect(pairs.map(({ path }) => path)).toEqual([]);
  });
});

describe('folders of the server import', () => {
  const common = ['errors.ts', 'config/', 'lib/'];
  const folders: [folder: string, may: string[]][] = [
    ['lib', []],
    ['events', ['errors.ts', 'features/events.ts', 'lib/', 'store/']],
    ['config', ['errors.ts', 'features/declared.ts', 'lib/', 'sizing/']],
    ['store', [...common, 'features/declared.ts', 'version.ts']],
    ['security', [...common, 'store/']],
    ['matching', ['errors.ts', 'lib/', 'security/', 'store/']],
    ['services', [...common, 'events/', 'matching/', 'security/', 'store/']],
    ['metrics', [...common, 'matching/', 'services/', 'store/', 'version.ts']],
    ['retention', [...common, 'matching/', 'services/', 'store/']],
    ['operations', [...common, 'features/features.ts', 'security/', 'services/', 'sizing/', 'store/']],
    ['sizing', []],
    ['http', [...common, 'events/', 'version.ts', 'services/', 'store/']],
  ];
  it.each(folders)('%s: only the folders below', (folder, may) => {
    const base = 'packages/server/src/';
    const inside = new RegExp(`^${base}${folder}/`);
    const wrong = offenders(
      inside,
      (target) =>
        !target.startsWith(base) || [`${folder}/`, ...may].some((below) => target.startsWith(base + below)),
    );
    expect(wrong).toEqual([]);
  });

  const services: [folder: string, may: string[]][] = [
    ['scheduling', []],
    ['accounts', []],
    ['galleries', ['accounts', 'scheduling']],
    ['resealing', ['galleries']],
    ['faces', ['galleries', 'scheduling']],
    ['recognition', ['faces', 'galleries', 'scheduling']],
    ['liveness', ['faces', 'galleries', 'scheduling']],
    ['people', ['faces', 'galleries']],
  ];
  it.each(services)('services/%s: only the services below', (folder, may) => {
    const base = 'packages/server/src/services/';
    const wrong = offenders(new RegExp(`^${base}${folder}/`), (target) => {
      const [other = '', file] = target.startsWith(base) ? target.slice(base.length).split('/') : [];
      return file === undefined || other === folder || may.includes(other);
    });
    expect(wrong).toEqual([]);
  });

  it('http and cli: imported by serve, the app of the operator and the entries of the package alone', () => {
    const importers = product
      .filter(({ path }) => /^packages\/server\/src\/(?!http\/|cli\/|features\/)/.test(path))
      .filter((source) => targets(source).some((name) => /^packages\/server\/src\/(http|cli)\//.test(name)));
    expect(importers.map(({ path }) => path)).toEqual([
      'packages/server/src/feature.ts',
      'packages/server/src/index.ts',
      'packages/server/src/profile.ts',
      'packages/server/src/server/operator.ts',
      'packages/server/src/server/serve.ts',
    ]);
  });

  it('operations: imported by the entries of the package and by features alone', () => {
    const importers = product
      .filter(({ path }) => /^packages\/server\/src\/(?!operations\/|cli\/|features\/)/.test(path))
      .filter((source) => targets(source).some((name) => name.startsWith('packages/server/src/operations/')));
    expect(importers.map(({ path }) => path)).toEqual(
      ['commands', 'faces', 'feature', 'index', 'stores'].map((name) => `packages/server/src/${name}.ts`),
    );
  });
});

describe.each(['server', 'contract', 'console'])('features of %s', (name) => {
  const src = `packages/${name}/src/`;
  const featureOf = (path: string) =>
    path.startsWith(`${src}features/`)
      ? /^([^/]+)\//.exec(path.slice(`${src}features/`.length))?.[1]
      : undefined;

  it('are imported by the lists of features alone: what needs them reads a list', () => {
    const named = offenders(new RegExp(`^${src}(?!features/)`), (target) => featureOf(target) === undefined);
    // The types of requests, which the index of the package exports.
    expect(named.filter((one) => !one.startsWith(`${src}index.ts`))).toEqual([]);
  });

  it('import the core, and no other feature', () => {
    const inside = product.filter(({ path }) => featureOf(path) !== undefined);
    const wrong = inside.flatMap((source) =>
      targets(source)
        .filter((target) => featureOf(target) !== undefined && featureOf(target) !== featureOf(source.path))
        .map((target) => `${source.path} → ${target}`),
    );
    expect(inside.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});

describe('folders of the engine import', () => {
  const common = ['errors.ts', 'types.ts'];
  const folders: [folder: string, may: string[]][] = [
    ['imaging', common],
    ['packs', [...common, 'similarity.ts']],
    ['cohort', [...common, 'similarity.ts']],
    ['runtime', [...common, 'packs/', 'similarity.ts']],
    ['stages', [...common, 'imaging/', 'packs/', 'runtime/', 'similarity.ts']],
    ['series', [...common, 'imaging/', 'stages/']],
    ['pad', [...common, 'imaging/', 'runtime/', 'stages/']],
  ];
  it.each(folders)('%s: only the folders that it builds on', (folder, may) => {
    const base = 'packages/engine/src/';
    const wrong = offenders(
      new RegExp(`^${base}${folder}/`),
      (target) =>
        !target.startsWith(base) || [`${folder}/`, ...may].some((below) => target.startsWith(base + below)),
    );
    expect(wrong).toEqual([]);
  });

  it('training: imported by evaluation and bench only', () => {
    const users = product
      .filter(({ path }) => !/^lab\//.test(path))
      .filter(({ text }) => importsOf(text).some((name) => /engine\/training$|\/training\.ts$/.test(name)));
    expect(users.map(({ path }) => path)).toEqual([]);
  });
});

describe('importsOf', () => {
  it('finds every form of import, and none in comments', () => {
    const text = `import a from 'one';\nimport type { b } from "two";\nexport * from 'three';\nimport 'four';
      import {\n  c,\n} from 'five';\nawait import('six'); // import d from 'seven'\n/* import 'eight' */`;
    expect(importsOf(text)).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
  });
});
