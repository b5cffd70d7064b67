import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../packages/server/test/support/temporary.ts';
import { readPairs } from './pairs.ts';
import { readPeople } from './people.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryDirectory();
});

function put(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
}

describe('readPeople', () => {
  it('takes one folder a person, sorted, deeper folders included, other files not', () => {
    put('b/2.png', 'b/1.JPG', 'a/x/1.jpeg', 'a/notes.txt', 'empty/none.txt', '.hidden/1.jpg', 'loose.jpg');
    expect(readPeople(folder)).toEqual([
      { name: 'a', pictures: [join(folder, 'a/x/1.jpeg')] },
      { name: 'b', pictures: [join(folder, 'b/1.JPG'), join(folder, 'b/2.png')] },
    ]);
  });

  it('reports faults of a folder', () => {
    expect(() => readPeople(join(folder, 'nowhere'))).toThrow(
      /nowhere cannot be read as a folder \(ENOENT\)/,
    );
    put('imgs/1.jpg', 'imgs/2.jpg');
    expect(() => readPeople(folder)).toThrow(/has 1 folders with pictures.*--pairs/);
    put('other/1.jpg');
    rmSync(join(folder, 'imgs/2.jpg'));
    expect(() => readPeople(folder)).toThrow('nobody has a second picture');
  });
});

describe('readPairs', () => {
  const list = (text: string) => {
    put('1.jpg', '2.jpg');
    const file = join(folder, 'pairs.csv');
    writeFileSync(file, text);
    return file;
  };

  it('reads pairs of one subset, whatever the order of the columns', () => {
    const file = list('subset,same,a,b\nx,1,1.jpg,2.jpg\r\ny,0,2.jpg,1.jpg\n');
    expect(readPairs(file, folder, 'y')).toEqual([
      { a: join(folder, '2.jpg'), b: join(folder, '1.jpg'), same: false },
    ]);
    expect(readPairs(file, '/nowhere', undefined)).toHaveLength(2);
  });

  it('reports faults of a list', () => {
    expect(() => readPairs(join(folder, 'no.csv'), folder, undefined)).toThrow('ENOENT');
    expect(() => readPairs(list('left,right\n'), folder, undefined)).toThrow('needs the columns a,b,same');
    expect(() => readPairs(list('a,b,same\n1.jpg,3.jpg,1\n'), folder, undefined)).toThrow('3.jpg of');
    expect(() => readPairs(list('a,b,same\n1.jpg,2.jpg,1\n'), folder, 'x')).toThrow(
      'no pairs of the subset x',
    );
  });
});
