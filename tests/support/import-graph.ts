import { posix } from 'node:path';
import { importsOf, type Source } from './sources.ts';

const ownPackage = /^@wajah\/([a-z]+)(?:\/([a-z-]+))?$/;

/** The file of ours that an import names, built or not: its path from the root. Null for other packages. */
function resolveImport(from: string, name: string, files: ReadonlySet<string>): string | null {
  const own = ownPackage.exec(name);
  const folder = /^(lab|models)$/.test(own?.[1] ?? '') ? own?.[1] : `packages/${own?.[1]}`;
  const path = own
    ? `${folder}/src/${own[2] ?? 'index'}.ts`
    : posix.join(posix.dirname(from), name).replace(/\/dist\/(.*)\.js$/, '/src/$1.ts');
  return files.has(path) ? path : null;
}

/** For each file the files of ours that it imports; imports of types are imports. */
export function importGraph(sources: readonly Source[]): Map<string, string[]> {
  const files = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map(({ path, text }) => [
      path,
      importsOf(text).flatMap((name) => resolveImport(path, name, files) ?? []),
    ]),
  );
}

/**
 * The strongly connected components of more than one file: each holds at least one cycle. Tarjan, "Depth-first search
 * and linear graph algorithms", 1972.
 */
export function cycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.get(node)!);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!));
    }
    if (low.get(node) !== index.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    if (component.length > 1) found.push(component.sort());
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}

/** For each file or folder in a folder, the others in it that it imports, itself or in a file below it. */
function childrenOf(graph: ReadonlyMap<string, readonly string[]>, folder: string): Map<string, string[]> {
  const child = (path: string) => path.split('/', folder.split('/').length + 1).join('/');
  const inside = (path: string) => path.startsWith(`${folder}/`);
  const children = new Map<string, string[]>();
  for (const [path, targets] of graph) {
    if (!inside(path)) continue;
    const others = targets.filter((target) => inside(target) && child(target) !== child(path)).map(child);
    children.set(child(path), [...(children.get(child(path)) ?? []), ...others]);
  }
  return children;
}

/** Files and folders of one folder that import each other in circles, in this folder or one below it. */
export function folderCycles(graph: ReadonlyMap<string, readonly string[]>, folder: string): string[][] {
  const children = childrenOf(graph, folder);
  const below = [...children.keys()].filter((child) => !graph.has(child));
  return [...cycles(children), ...below.flatMap((child) => folderCycles(graph, child))];
}
