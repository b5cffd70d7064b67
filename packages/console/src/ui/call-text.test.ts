import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../server/test/support/temporary.ts';
import { curlText, jsonText, shellWord } from './call-text.ts';

const picture = { name: "it's $HOME.jpg", blob: new Blob([]) };
const call = {
  path: '/face-api/facegallery/identify-face',
  fields: { facegallery_id: 'a`b$c\\d"e', faces: 20, image: picture },
  answer: {},
};

it('JSON is that of JSON.stringify, with numbers on one line', () => {
  const value = {
    points: [
      [1, 2.5, -3],
      [4, 5, 6],
    ],
    faces: [{ mask: false, why: null }],
    none: [],
    empty: {},
  };
  expect(JSON.parse(jsonText(value))).toEqual(value);
  expect(jsonText(value)).toContain('  "points": [[1,2.5,-3],[4,5,6]],\n  "faces": [\n    {\n');
});

it('the command sends the fields as they are, and the file', () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, picture.name), 'picture');
  // Prints its input instead of sending it.
  const command = `curl() { cat; }\n${curlText('http://127.0.0.1:8080', call)}`;
  const sent = execFileSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' });
  expect(JSON.parse(sent)).toEqual({ ...call.fields, image: btoa('picture') });
});

it.each(["my office's door", '$HOME `id`', 'a;b', 'door-7'])('%s is one word of a command', (name) => {
  expect(execFileSync('bash', ['-c', `printf %s ${shellWord(name)}`], { encoding: 'utf8' })).toBe(name);
});
