import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace, PERSONS, type PersonName } from '../../packages/engine/test/drawn/drawn-face.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { Run } from '../support/program.ts';
import { root } from '../support/sources.ts';

const program = join(root, 'evaluation/dist/demo/demo.js');

describe('npm run demo', () => {
  const folder = temporaryDirectory();
  const scratch = temporaryDirectory();
  const demo = (...args: string[]) =>
    new Run({ TMPDIR: scratch }, args, [process.execPath, program]).finished;

  beforeAll(async () => {
    for (const person of Object.keys(PERSONS) as PersonName[]) {
      mkdirSync(join(folder, person));
      writeFileSync(join(folder, person, '1.jpg'), await drawnFace({ person }));
      writeFileSync(join(folder, person, '2.jpg'), await drawnFace({ person, tilt: 6, brightness: 0.9 }));
    }
  });

  // Nothing at all: the inference library would leave the marks of its telemetry there.
  it('enrols, verifies and identifies people, and leaves nothing behind', async () => {
    const people = Object.keys(PERSONS).length;
    const { code, out } = await demo(folder);
    expect(code).toBe(0);
    expect(out).toContain(`${people} people, ${people} enrolled`);
    expect(out).toMatch(new RegExp(`FNMR .* +0 of ${people} `));
    expect(out).toMatch(new RegExp(`FMR .* +\\d+ of ${people * (people - 1)} `));
    expect(out).toMatch(new RegExp(`FNIR .* +0 of ${people} `));
    expect(out).toMatch(/ms per call[\s\S]*enroll-face +\d+[\s\S]*identify-face +\d+/);
    expect(out).toContain('false matches: a picture was verified as another person: ');
    expect(out).toContain('Machine: ');
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('compares the pairs of a list', async () => {
    const list = join(folder, 'pairs.csv');
    writeFileSync(list, 'a,b,same,subset\nani/1.jpg,ani/2.jpg,1,x\nani/1.jpg,budi/1.jpg,1,y\n');
    const { code, out } = await demo(folder, '--pairs', list, '--subset', 'x');
    expect(code).toBe(0);
    expect(out).toMatch(/1 pairs[\s\S]*all errors +0 of 1/);
  });

  it.each([
    [['/nowhere'], '/nowhere cannot be read as a folder (ENOENT)'],
    [[], 'usage:'],
    [['a', '--wrong'], "Unknown option '--wrong'"],
  ])('says in one message what is wrong with %j', async (args, message) => {
    const { code, out, err } = await demo(...args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
    expect(err).not.toContain('    at ');
  });
});
