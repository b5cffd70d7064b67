import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { npmTool } from './npm-tool.ts';

interface SyntaxNode {
  readonly isError: boolean;
  readonly isMissing: boolean;
  readonly startPosition: { readonly row: number };
  readonly children: readonly SyntaxNode[];
}

interface TreeSitter {
  readonly Parser: {
    init(): Promise<void>;
    new (): { setLanguage(language: unknown): void; parse(text: string): { rootNode: SyntaxNode } };
  };
  readonly Language: { load(path: string): Promise<unknown> };
}

/** 0.25 is the last version that reads the grammars' file format. */
const packages = { 'web-tree-sitter': '0.25.10', 'tree-sitter-wasms': '0.1.13' };

/**
 * What is no program by the grammar of its language: lines of the faults.
 * @returns null when the grammars cannot be installed
 */
export async function syntaxFaults(path: string, language: string): Promise<string[] | null> {
  const folder = npmTool(packages);
  if (folder === undefined) return null;
  const main = createRequire(join(folder, 'x.js')).resolve('web-tree-sitter');
  const { Parser, Language } = (await import(main)) as TreeSitter;
  await Parser.init();
  const parser = new Parser();
  const grammar = join(folder, `node_modules/tree-sitter-wasms/out/tree-sitter-${language}.wasm`);
  parser.setLanguage(await Language.load(grammar));
  return faultsIn(parser.parse(readFileSync(path, 'utf8')).rootNode);
}

function faultsIn(node: SyntaxNode): string[] {
  const own = node.isError || node.isMissing ? [`line ${node.startPosition.row + 1}`] : [];
  return [...own, ...node.children.flatMap(faultsIn)];
}
