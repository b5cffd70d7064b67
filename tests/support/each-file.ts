import fc from 'fast-check';
import { afterAll } from 'vitest';
import { endOfFile } from '../../packages/server/test/support/temporary.ts';

// Files of one process share their modules, and only this one is run again for each of them.
afterAll(endOfFile);

// The same examples in each run: a change is not refused for a rare one of another. `ROUNDS` draws others.
if (process.env['ROUNDS'] === undefined) fc.configureGlobal({ seed: 1 });
