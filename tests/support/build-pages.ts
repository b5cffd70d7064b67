import { runNode } from './build.ts';

/** Vitest's global setup: builds the console and the documents' site, which browsers open and servers serve. */
export function setup(): void {
  runNode('packages/console/build.mjs');
  runNode('packages/guide/dist/main.js');
}
