import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository, absolute, without a final slash. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** One of our source files. */
export interface Source {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const skipped = new Set(['node_modules', 'dist', 'site', 'coverage', '.git', '.cache']);

/** Every TypeScript and JavaScript file of ours, tests included. */
export function ourSources(): Source[] {
  return ['packages', 'lab', 'models', 'tests'].flatMap((folder) =>
    walk(join(root, folder))
      .filter((path) => /\.(ts|tsx|js|mjs)$/.test(path))
      .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') })),
  );
}

/** Paths of all Markdown files, from the root of the repository. */
export function documentPaths(): string[] {
  return walk(root)
    .filter((path) => path.endsWith('.md'))
    .map((path) => relative(root, path));
}

/** Whether a file is a test or supports tests. */
export function isTest(path: string): boolean {
  return (
    /\.test\.tsx?$/.test(path) || /^(packages\/[^/]+|models)\/test\//.test(path) || path.startsWith('tests/')
  );
}

/** The text without comments; strings stay. */
export function withoutComments(text: string): string {
  const parts = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
  return text.replace(parts, (_, kept: string | undefined) => kept ?? ' ');
}

/** What a file imports or re-exports, as written; dynamic imports of a literal too. */
export function importsOf(text: string): string[] {
  const pattern =
    /(?:^|[;\s}])(?:import|export)\s+(?:[\w*{}\s,$]+\s+from\s+)?['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]/g;
  return [...withoutComments(text).matchAll(pattern)].map((match) => match[1] ?? match[2] ?? '');
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });
}
