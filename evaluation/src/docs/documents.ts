import { readdir, readFile } from 'node:fs/promises';
import { openApiDocument } from '@wajah/contract/openapi';
import { version } from '@wajah/server';
import { apiPages } from './api-page.ts';
import { clientTypes } from './client-types.ts';
import { commandsPage, configurationPage, environmentExample, errorsPage } from './pages.ts';
import { postmanCollection } from './postman.ts';
import { programsPage } from './programs-page.ts';

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

const root = new URL('../../../', import.meta.url);

const codeBlock = /^```[\s\S]*?^```$/gm;

/** The pages of docs/id with the code blocks of the English ones. Their prose is written by people. */
async function translatedPages(): Promise<[path: string, text: string][]> {
  const names = (await readdir(new URL('docs/id/', root))).filter((name) => name.endsWith('.md'));
  return Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const english = await readFile(new URL(name === 'README.md' ? name : `docs/${name}`, root), 'utf8');
      const path = `docs/id/${name}`;
      return [path, follow(await readFile(new URL(path, root), 'utf8'), english)];
    }),
  );
}

function follow(page: string, english: string): string {
  const code = english.match(codeBlock) ?? [];
  // With another number of blocks nothing is copied: a test reports the page.
  if (page.match(codeBlock)?.length !== code.length) return page;
  let next = 0;
  return page.replace(codeBlock, () => code[next++]!);
}
