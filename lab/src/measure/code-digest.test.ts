import { expect, it } from 'vitest';
import { codeAlone } from './code-digest.ts';

it('comments, imports and blank lines are no code, and all else is', () => {
  const module = [
    "import { a } from './a.js';",
    'import {',
    '  b,',
    "} from './b/b.js';",
    "export { c } from './c.js';",
    '/** Says',
    ' *  what it is. */',
    'export const x = a * b; // of a pair',
    '',
    '  // Why.',
    "const glob = '/*'; const other = '*/';",
    '//# sourceMappingURL=x.js.map',
  ];
  expect(codeAlone(module.join('\n')).trim().split('\n')).toEqual([
    'export const x = a * b; // of a pair',
    "const glob = '/*'; const other = '*/';",
  ]);
});
