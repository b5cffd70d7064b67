import { codeBlock, markdownTable, page } from './markdown.ts';

interface Program {
  readonly title: string;
  readonly file: string;
  readonly note: string;
}

const programs: readonly Program[] = [
  {
    title: 'Shell',
    file: 'shell.sh',
    note: 'Run by a test with curl and jq.',
  },
  {
    title: 'PHP with Laravel',
    file: 'laravel.php',
    note: "Run by a test with Laravel's HTTP client of version 8; later versions have the same methods. Read the address and the secrets from `config()` instead of `getenv()`, and keep the token in the cache until it expires.",
  },
  {
    title: 'PHP without a framework',
    file: 'php.php',
    note: 'Run by a test with PHP 8.2. The extension `curl` is needed.',
  },
  {
    title: 'Python',
    file: 'python.py',
    note: 'Run by a test with Python 3.11 and `requests` 2.28.',
  },
  {
    title: 'Go',
    file: 'go.go',
    note: 'Run by a test with Go 1.19. It needs the standard library only.',
  },
  {
    title: 'Kotlin with Retrofit',
    file: 'kotlin.kt',
    note: 'Compiled and run by a test with Kotlin 1.3, OkHttp 3.13 and Gson 2.10, against a stand-in for Retrofit that reads its annotations. With OkHttp 4 use `toRequestBody()` and `asRequestBody()`. An app never has the password: its backend logs in, and gives it an API token with the scope that it needs (`create-token`).',
  },
  {
    title: 'Dart and Flutter',
    file: 'dart.dart',
    note: 'With the package `http`. A test checks its syntax; it is not run. A Flutter app gets an API token from its backend, as above.',
  },
];

/** docs/programs.md: what the programs do, and where they are; a long test runs the files. */
export function programsPage(): string {
  return page(
    'Programs in other languages',
    'The same program in seven forms. It logs in, creates a gallery, enrols a person, verifies and identifies her on another picture, and runs a liveness session. For JavaScript and TypeScript there is [@wajah/client](../packages/client/README.md); any language with an OpenAPI generator can use [openapi.json](openapi.json).',
    markdownTable(
      ['program', 'how it was tried'],
      programs.map(({ title, file, note }) => [`[${title}](programs/${file})`, note]),
    ),
    [
      '- **Pictures are files** of a form (`multipart/form-data`). Base64 in JSON does the same ([API](api.md)).',
      '- **A call is successful** when its `status` is `"200"`. Otherwise `detail` says which field, what was found and what is allowed. Status 411 (not recognised) has HTTP status 200; see [statuses](errors.md).',
      '- **Status 503 and 429**: wait for the seconds of the header `Retry-After`, and call again.',
      '- **Liveness**: the server draws the steps. The files `camera/<step> <number>.jpg` stand for the pictures that the camera takes while the person does them.',
    ].join('\n'),
    'The programs read `URL`, `CLIENT` and `PASSWORD` from the environment, and print:\n\n' +
      codeBlock('text', 'enrolled: 200\nverified: true\nidentified: Sri Rahayu\nliveness: passed'),
  );
}
