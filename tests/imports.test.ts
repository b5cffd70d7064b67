import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, isTest, ourSources, type Source, withoutComments } from './support/sources.ts';

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
  const walls: [name: string, inside: RegExp, allowed: RegExp][] = [
    ['contract', /^packages\/contract\/src\//, /^(packages\/contract\/src\/|zod$)/],
    [
      'engine',
      /^packages\/engine\/src\//,
      /^(packages\/engine\/|node:|sharp$|onnxruntime-node$|piscina$|protobufjs$|zod$|@vladmandic\/(human|face-api)$)/,
    ],
    [
      'server',
      /^packages\/server\/src\//,
      /^(packages\/server\/|node:|@wajah\/(contract|engine)$|(?!@wajah\/|\.|packages\/|sharp$|onnxruntime-node$|piscina$|protobufjs$|@vladmandic\/)[a-z@])/,
    ],
    ['evaluation', /^evaluation\/src\//, /^(?!packages\/)/],
  ];
  it.each(walls)('%s: only what its wall lets through', (_, inside, allowed) => {
    expect(offenders(inside, (target) => allowed.test(target))).toEqual([]);
  });
});

it('evaluation is named in the product only where it is loaded', () => {
  const named = product
    .filter(
      ({ path, text }) => path.startsWith('packages/') && withoutComments(text).includes('@wajah/evaluation'),
    )
    .map(({ path }) => path);
  expect(named).toEqual(['packages/server/src/cli.ts']);
});

describe('one owner each', () => {
  const owners: [thing: string, target: RegExp, owner: RegExp][] = [
    ['sharp', /^sharp$/, /^packages\/engine\/src\/image\.ts$/],
    ['onnxruntime-node', /^onnxruntime-node$/, /^packages\/engine\/src\/session\.ts$/],
    ['the database drivers', /^(libsql|pg)$/, /^packages\/server\/src\/store\//],
    ['commander', /^commander$/, /^packages\/server\/src\/(cli\/|cli\.ts$)/],
    [
      'fastify',
      /^(@?fastify(\/|$|-)|@fastify\/)/,
      /^packages\/server\/src\/(app\.ts$|plugins\/|routes\/|views\/)/,
    ],
    ['the routes', /^packages\/server\/src\/routes\//, /^packages\/server\/src\/(app\.ts$|routes\/)/],
    [
      'the plugins',
      /^packages\/server\/src\/plugins\//,
      /^packages\/server\/src\/(app\.ts$|index\.ts$|plugins\/|routes\/)/,
    ],
    [
      'the command line',
      /^packages\/server\/src\/cli\//,
      /^packages\/server\/src\/(cli\.ts$|index\.ts$|cli\/)/,
    ],
  ];
  it.each(owners)('%s', (_, target, owner) => {
    const strangers = product
      .filter(({ path }) => !owner.test(path) && !/^(evaluation|bench)\//.test(path))
      .filter((source) => targets(source).some((name) => target.test(name)));
    expect(strangers.map(({ path }) => path)).toEqual([]);
  });

  it('process.env: config.ts reads it, one line of the engine writes to it', () => {
    const users = product.filter(({ text }) =>
      /\bprocess\s*\.\s*env\b|\benv\b.*from 'node:process'/.test(withoutComments(text)),
    );
    expect(users.map(({ path }) => path)).toEqual([
      'packages/engine/src/no-telemetry.ts',
      'packages/server/src/config.ts',
    ]);
  });

  it('SQL: the store', () => {
    const sql =
      /\b(select\s+[\w*,.\s]+\s+from|insert\s+into|delete\s+from|update\s+\w+\s+set|create\s+table)\b/i;
    const writers = product.filter(
      ({ path, text }) =>
        path.startsWith('packages/') &&
        !path.startsWith('packages/server/src/store/') &&
        sql.test(withoutComments(text)),
    );
    expect(writers.map(({ path }) => path)).toEqual([]);
  });

  it('numbers of statuses: the status table', () => {
    const pairs = product.filter(
      ({ path, text }) =>
        path !== 'packages/contract/src/errors.ts' &&
        /\bstatus:\s*'(4\d\d|5\d\d)'/.test(withoutComments(text)),
    );
    expect(pairs.map(({ path }) => path)).toEqual([]);
  });
});

describe('rooms of the server import', () => {
  const common = ['errors.ts', 'config.ts'];
  const rooms: [room: string, may: string[]][] = [
    ['store', ['errors.ts']],
    ['security', [...common, 'store/']],
    ['matching', ['security/', 'store/']],
    ['services', [...common, 'events.ts', 'matching/', 'security/', 'store/']],
    ['views', [...common, 'services/']],
    ['routes', [...common, 'plugins/', 'services/', 'views/']],
    ['doctor', [...common, 'security/', 'store/']],
    ['admin', [...common, 'matching/', 'security/', 'services/', 'store/']],
  ];
  it.each(rooms)('%s: only the rooms below', (room, may) => {
    const base = 'packages/server/src/';
    const inside = new RegExp(`^${base}${room}/`);
    const wrong = offenders(
      inside,
      (target) =>
        !target.startsWith(base) || [`${room}/`, ...may].some((below) => target.startsWith(base + below)),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the reader of imports', () => {
  it('sees every form, and none in comments', () => {
    const text = `import a from 'one';\nimport type { b } from "two";\nexport * from 'three';\nimport 'four';
      import {\n  c,\n} from 'five';\nawait import('six'); // import d from 'seven'\n/* import 'eight' */`;
    expect(importsOf(text)).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
  });
});
