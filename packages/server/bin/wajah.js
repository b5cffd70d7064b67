#!/usr/bin/env node
// Checked in, so that `npx wajah` exists right after `npm ci`, before the first build.
import { existsSync } from 'node:fs';

const built = new URL('../dist/cli.js', import.meta.url);
if (!existsSync(built)) {
  console.error('Wajah is not built yet. Run `npm run build` (or `npm start`, which builds first).');
  process.exit(1);
}
await import(built.href);
