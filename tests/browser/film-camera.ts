import type { PersonName } from '../../packages/engine/test/drawn/drawn-face.ts';
import { filmOf } from '../../packages/server/test/support/film.ts';

/** Pictures that a camera shows in turn while a session asks for a step. */
export interface Scene {
  readonly step: string;
  /** Base64 of JPEG or PNG. */
  readonly pictures: readonly string[];
}

/** What a session asks for between the front. */
const actions = ['face left', 'face right', 'face up', 'face down', 'eyes closed', 'mouth open'];

/**
 * A drawn person who does every step twice, as a challenge may ask for an action again. No picture serves two steps, as the
 * server refuses that, nor two sessions of a server.
 */
export async function drawnFilm(
  steps: readonly string[] = ['face front', ...actions, ...actions, 'face front'],
  person: PersonName = 'ani',
): Promise<Scene[]> {
  const film = await filmOf(person);
  const frames = await film.frames(steps);
  return frames.map(({ step, image }) => ({ step, pictures: [image] }));
}

/**
 * A script for a page: replaces its camera with scenes that follow the steps of `<wajah-liveness>`, each scene once. The
 * first one is shown for steps that have none. It works in any browser, and asks for no permission.
 * @param turns its pictures are upright or wide as the screen is, as those of a phone
 */
export function cameraScript(scenes: readonly Scene[], turns = false): string {
  return `(${install})(${JSON.stringify(scenes)}, ${turns})`;
}

/** Runs in the page. A string, as the tests are compiled without the types of a browser. */
const install = `async (scenes, turns) => {
  const decode = (text) => createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
  const film = await Promise.all(
    scenes.map(async ({ step, pictures }) => ({ step, pictures: await Promise.all(pictures.map(decode)) })),
  );
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [film[0].pictures[0].width, film[0].pictures[0].height];
  let left = [...film];
  let scene = film[0];
  let shown = 0;
  addEventListener('step', ({ detail: { step, index } }) => {
    if (index === 0) left = [...film];
    scene = left.find((one) => one.step === step) ?? film[0];
    left = left.filter((one) => one !== scene);
  });
  const context = canvas.getContext('2d');
  const [least, most] = [canvas.width, canvas.height].sort((one, other) => one - other);
  const paint = () => {
    if (turns) [canvas.width, canvas.height] = innerWidth > innerHeight ? [most, least] : [least, most];
    // Dark between two steps: no frame of one is taken for the next, however late a busy machine delivers it.
    const done = document.querySelector('wajah-liveness')?.shadowRoot?.querySelector('.stage.seen');
    if (done) context.fillRect(0, 0, canvas.width, canvas.height);
    else {
      const picture = scene.pictures[shown++ % scene.pictures.length];
      const scale = turns ? Math.min(canvas.width / picture.width, canvas.height / picture.height) : 1;
      const [width, height] = [picture.width * scale, picture.height * scale];
      context.drawImage(picture, turns ? (canvas.width - width) / 2 : 0, 0, width, height);
    }
    setTimeout(paint, 100);
  };
  paint();
  navigator.mediaDevices.getUserMedia = async () => {
    const stream = canvas.captureStream(15);
    globalThis.cameras?.push(...stream.getTracks());
    return stream;
  };
}`;
