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
    'The same program in seven forms. It logs in, creates a gallery, enrols a person, verifies and identifies her on another picture, looks for somebody who is not enrolled, and runs a liveness session. A second run is right as well. For JavaScript and TypeScript there is [@wajah/client](../packages/client/README.md); any language with an OpenAPI generator can use [openapi.json](openapi.json).',
    markdownTable(
      ['program', 'how it was tried'],
      programs.map(({ title, file, note }) => [`[${title}](programs/${file})`, note]),
    ),
    [
      '- **Pictures are files** of a form (`multipart/form-data`). Base64 in JSON does the same ([API](api.md)).',
      '- **A call is successful** when its `status` is `"200"`. Otherwise `detail` says which field, what was found and what is allowed. Some statuses are answers: 411 says that nobody was recognised (its HTTP status is 200), 417 that the gallery exists, 409 that the person is enrolled; see [statuses](errors.md).',
      '- **Status 503 and 429**: the call was not done. The programs wait for the seconds of the header `Retry-After` and call again, four tries in all, and give up where they would wait for more than a minute.',
      '- **Time-outs**: five seconds to connect, a minute for a call; in Python a minute without a byte of the answer.',
      '- **Liveness**: the server shows the session ([hosted sessions](liveness.md#hosted-by-this-server)). The program prints its link; the person opens it, does the steps and needs no app. The program asks for the state every two seconds, for at most `WAIT` seconds (600), and uses the `liveness_token` of a passed session once. A backend that need not wait takes the [webhook](webhooks.md) `liveness.passed`.',
    ].join('\n'),
    'The programs read `URL`, `CLIENT` and `PASSWORD` from the environment. With two pictures of yourself in place of `sri-1.jpg` and `sri-2.jpg` of the folder `samples` they print this; as they are, the people there are drawn, and your session ends as `failed`:\n\n' +
      codeBlock(
        'text',
        [
          'enrolled: now',
          'verified: true',
          'sri-2.jpg: Sri Rahayu',
          'darma.jpg: not recognised',
          'open: http://127.0.0.1:8080/liveness#…',
          'liveness: passed',
          'verified live: true',
        ].join('\n'),
      ),
  );
}
