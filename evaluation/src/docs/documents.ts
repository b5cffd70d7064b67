import { openApiDocument } from '@wajah/contract/openapi';
import { version } from '@wajah/server';
import { apiPages } from './api-page.ts';
import { clientTypes } from './client-types.ts';
import { commandsPage, configurationPage, environmentExample, errorsPage } from './pages.ts';
import { postmanCollection } from './postman.ts';
import { programsPage } from './programs-page.ts';
import { translatedPages } from './translated-pages.ts';

/** Generated documents: text by path from the repository root. */
export async function documents(): Promise<ReadonlyMap<string, string>> {
  const openApi = openApiDocument(version);
  return new Map([
    ...apiPages(),
    ['docs/programs.md', programsPage()],
    ['docs/configuration.md', configurationPage()],
    ['.env.example', environmentExample()],
    ['docs/errors.md', errorsPage()],
    ['docs/commands.md', commandsPage()],
    ['docs/openapi.json', `${JSON.stringify(openApi, null, 2)}\n`],
    ['docs/postman.json', `${JSON.stringify(postmanCollection(), null, 2)}\n`],
    ...(await clientTypes(openApi)),
    ...(await translatedPages()),
  ]);
}
