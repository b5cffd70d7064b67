// Clients that generators make of the OpenAPI document of a running server: each is compiled, and a program calls with it.

import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { drawPictures } from '../../packages/server/test/support/test-app.ts';
import { npmTool } from '../support/npm-tool.ts';
import { firstClient, serve } from '../support/program.ts';
import { root } from '../support/sources.ts';

interface Generated {
  /** Commands that succeed where the machine has what is needed. */
  readonly needs: readonly string[];
  /** Of npm, beside those of the repository. */
  readonly packages?: Readonly<Record<string, string>>;
  /** Makes `client` of the document. It stands in docs/api.md. */
  readonly command: string;
  readonly program: string;
  /** Compile the client and the program, and run the program. $TOOLS has the packages. */
  readonly steps: readonly string[];
}

/** The last version whose package has the generator itself. Its jar has the libraries of a Java client as well. */
const openApiGenerator = { '@openapitools/openapi-generator-cli': '1.0.18-5.0.0-beta2' };
const jar = '"$TOOLS/@openapitools/openapi-generator-cli/bin/openapi-generator.jar"';

const typescript = [
  `node "$ROOT/node_modules/typescript/lib/tsc.js" --strict --target es2023 --lib es2023,dom,dom.iterable \
    --module commonjs --moduleResolution bundler --typeRoots "$ROOT/node_modules/@types" --types node --outDir js *.ts client/*.ts`,
  'node js/*.js',
];

const generators: Readonly<Record<string, Generated>> = {
  'openapi-typescript-codegen': {
    needs: [],
    command: 'npx openapi --input openapi.json --output client --name Wajah --useOptions --useUnionTypes',
    program: 'openapi-typescript-codegen.ts',
    steps: typescript,
  },
  'openapi-typescript': {
    needs: [],
    // The generator needs a TypeScript that programs can load; what it makes is compiled with ours.
    packages: { 'openapi-typescript': '7.13.0', 'openapi-fetch': '0.17.0', typescript: '5.9.3' },
    command: 'npx openapi-typescript openapi.json --default-non-nullable=false --output client/schema.ts',
    program: 'openapi-fetch.ts',
    steps: typescript,
  },
  'OpenAPI Generator, typescript-fetch': {
    needs: ['java -version'],
    packages: openApiGenerator,
    command:
      'npx openapi-generator generate -i openapi-3.0.json -o client -g typescript-fetch --additional-properties=prefixParameterInterfaces=true,typescriptThreePlus=true',
    program: 'typescript-fetch.ts',
    steps: typescript,
  },
  'OpenAPI Generator, java': {
    needs: ['javac -version'],
    packages: openApiGenerator,
    command:
      'npx openapi-generator generate -i openapi-3.0.json -o client -g java --additional-properties=library=native,dateLibrary=java8,openApiNullable=false',
    program: 'java.java',
    steps: [
      `javac -nowarn -proc:none -cp ${jar} -d classes *.java $(find client/src/main -name '*.java')`,
      `java -cp ${jar}:classes Use`,
    ],
  },
  'OpenAPI Generator, python': {
    needs: ['java -version', '/usr/bin/python3 -c "import urllib3, dateutil"'],
    packages: openApiGenerator,
    command: 'npx openapi-generator generate -i openapi-3.0.json -o client -g python',
    program: 'python.py',
    steps: [
      '/usr/bin/python3 -m compileall -q client/openapi_client',
      'PYTHONPATH=client /usr/bin/python3 *.py',
    ],
  },
  'OpenAPI Generator, php': {
    needs: ['java -version', 'php -r "require \'/usr/share/php/GuzzleHttp/autoload.php\';"'],
    packages: openApiGenerator,
    command:
      'npx openapi-generator generate -i openapi-3.0.json -o client -g php --type-mappings=AnyType=object',
    program: 'php.php',
    // It was written for PHP 7: newer versions call parts of it deprecated.
    steps: ['php -d error_reporting=E_ALL^E_DEPRECATED *.php'],
  },
};

/** What each program prints. */
const printed = `enrolled: 200
verified: true
again.jpg: 200 Ani
budi.jpg: 411
listed: ani
workers: 1
refused: 422 faceNotDetected
deleted: 200
`;

const run = promisify(execFile);
const folder = temporaryDirectory();
/** Pictures and documents, which each client gets. */
const given = temporaryDirectory();
const server: Record<string, string> = {};

beforeAll(async () => {
  const { ani, aniAgain, budi, nobody } = await drawPictures();
  for (const [name, picture] of Object.entries({ ani, again: aniAgain, budi, nobody }))
    writeFileSync(join(given, `${name}.jpg`), picture, 'base64');
  const program = await serve({ WAJAH_DATA_DIR: join(folder, 'data') });
  const { password } = await firstClient(program);
  for (const [name, query] of Object.entries({ openapi: '', 'openapi-3.0': '?version=3.0' })) {
    const document = await fetch(`${program.url}/openapi.json${query}`);
    writeFileSync(join(given, `${name}.json`), await document.text());
  }
  Object.assign(server, { URL: program.url, CLIENT: 'demo', PASSWORD: password, ROOT: root });
});

/** Java compiles what a program uses often once more: programs that end before gain nothing, and take twice as long. */
const brief = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };

/** Runs commands in a folder. @returns what the last one prints */
async function runAll(commands: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  let printed = '';
  for (const command of commands)
    printed = (await run('sh', ['-c', command], { cwd, env, maxBuffer: 2 ** 26 })).stdout;
  return printed;
}

it.for(Object.keys(generators))('a client of %s compiles and works', async (name, { skip }) => {
  const { needs, packages, command, program, steps } = generators[name]!;
  const missing = needs.filter((need) => spawnSync('sh', ['-c', need]).status !== 0);
  if (missing.length > 0) skip(`the machine cannot run: ${missing.join(', ')}`);
  const tool = packages ? npmTool(packages) : root;
  if (tool === undefined) return skip('the generator could not be installed');
  const folder = temporaryDirectory();
  const tools = join(tool, 'node_modules');
  cpSync(given, folder, { recursive: true });
  copyFileSync(join(root, 'tests/clients/programs', program), join(folder, program));
  if (packages) symlinkSync(tools, join(folder, 'node_modules'));
  const path = [join(tools, '.bin'), process.env['PATH']].join(delimiter);
  const env = { ...process.env, ...brief, ...server, TOOLS: tools, PATH: path };
  expect(await runAll([command.replace('npx ', ''), ...steps], folder, env)).toBe(printed);
});

it('docs/api.md has the command of each generator', () => {
  const page = readFileSync(join(root, 'docs/api.md'), 'utf8');
  for (const { command } of Object.values(generators)) expect(page).toContain(`\`${command}\``);
});
