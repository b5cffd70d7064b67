import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { filmOf } from '../../packages/server/test/support/film.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { root } from './sources.ts';

/** Pictures that the documents name, and the drawn person on each. */
const pictures = {
  'sri-1.jpg': { person: 'budi' },
  'sri-2.jpg': { person: 'budi', tilt: 6, brightness: 0.9 },
  'door.jpg': { person: 'budi', tilt: -4 },
  'visitor.jpg': { person: 'darma' },
  'a.jpg': { person: 'ani' },
  'b.jpg': { person: 'ani', brightness: 0.9 },
  'selfie.jpg': { person: 'ani' },
  'card.jpg': { person: 'ani', tilt: 3 },
  'left.jpg': { person: 'budi' },
  'applicant/ktp.jpg': { person: 'ani', tilt: -3 },
  'impostor/ktp.jpg': { person: 'budi' },
  'exported/Sri Rahayu/1.jpg': { person: 'budi' },
  'exported/Sri Rahayu/2.jpg': { person: 'budi', tilt: 6 },
  'exported/Budi/1.jpg': { person: 'ani' },
} as const;

/** Steps that the camera frames of the folder show, and the number of frames of each. */
const steps = ['face front', 'face left', 'face right', 'face up', 'face down', 'eyes closed', 'mouth open'];
const takes = 3;

/** A folder as the documents assume it: the sample pictures, further ones, a camera's frames, and the packages as npm would put them. */
export async function docsFolder(): Promise<string> {
  const folder = temporaryDirectory();
  cpSync(join(root, 'samples'), join(folder, 'samples'), { recursive: true });
  for (const [name, options] of Object.entries(pictures)) write(folder, name, await drawnFace(options));
  const film = await filmOf('ani');
  for (const [index, owner] of ['applicant', 'impostor', 'visitor'].entries()) {
    for (const step of steps) {
      for (let take = 0; take < takes; take += 1) {
        const frame = await film.frame(step, take + index * takes);
        write(folder, `${owner}/${step} ${take + 1}.jpg`, Buffer.from(frame, 'base64'));
      }
    }
  }
  mkdirSync(join(folder, 'node_modules/@wajah'), { recursive: true });
  mkdirSync(join(folder, 'node_modules/.bin'));
  symlinkSync(join(root, 'packages/client'), join(folder, 'node_modules/@wajah/client'));
  symlinkSync(join(root, 'packages/server/bin/wajah.js'), join(folder, 'node_modules/.bin/wajah'));
  return folder;
}

function write(folder: string, name: string, bytes: Buffer): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), bytes);
}
