import { afterAll } from 'vitest';
import { endOfFile } from '../../packages/server/test/support/temporary.ts';

// Files of one process share their modules, and only this one is run again for each of them.
afterAll(endOfFile);
