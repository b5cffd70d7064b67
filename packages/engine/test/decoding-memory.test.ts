import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { blackPng } from './support/bombs/png-bytes.ts';

const decoder = new URL('../dist/imaging/decode.js', import.meta.url);
const program = `
import { decodeImage } from '${decoder}';
const pieces = [];
for await (const piece of process.stdin) pieces.push(piece);
await decodeImage(Buffer.concat(pieces), { maxBytes: 10 << 20, maxPixels: 50e6 }).then(
  () => console.log('decoded'),
  ({ code, message }) => console.log(code, message),
);`;

it.runIf(process.platform === 'linux')(
  'a picture that takes too much memory is not said to be damaged',
  async () => {
    const limited = [
      '-c',
      'ulimit -d 180000; exec "$0" --input-type=module -e "$1"',
      process.execPath,
      program,
    ];
    const answer = promisify(execFile)('bash', limited);
    answer.child.stdin!.end(blackPng({ width: 6400, height: 6400, interlaced: true }));
    expect((await answer).stdout).toMatch(/^imageBroken .*more memory than a worker may allocate/);
  },
);
