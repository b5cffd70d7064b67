// One analyser in a process of its own, for peers.ts: arguments are its kind and the folder with the peers' packages.
// Each message has the bytes of a picture.
import { keptPixels } from '../../../packages/engine/dist/analyze.js';
import { decodeImage } from '../../../packages/engine/dist/imaging/decode.js';
import { type Attribute, openEngineInThread } from '../../../packages/engine/dist/index.js';
import { detailAttributes, frameAttributes, sessionAttributes } from './attributes.ts';
import { openFaceApi, openHuman, type Peer } from './peers.ts';
import { imageLimits } from './photographs.ts';
import { type Cost, costOf } from './time-paths.ts';

/** What a process analyses pictures with. */
export type Kind =
  | 'decoding'
  | 'template'
  | 'liveness'
  | 'frame'
  | 'details'
  | 'human'
  | 'humanTemplate'
  | 'faceApi';

/** Answer to a picture. */
export interface Answer extends Cost {
  /** Whether a face was found. */
  readonly found: boolean;
}

type Analyse = (bytes: Uint8Array) => Promise<boolean>;

async function wajah(attributes: readonly Attribute[]): Promise<Analyse> {
  const engine = await openEngineInThread({ cacheDir: '.cache', image: imageLimits });
  return async (bytes) => {
    const { faces } = await engine.analyze(bytes, { attributes, maxFaces: 1, search: 'fast' });
    return faces.length > 0;
  };
}

async function peer(opening: Promise<Peer>): Promise<Analyse> {
  const analyse = await opening;
  return async (bytes) => (await analyse(keptPixels(await decodeImage(bytes, imageLimits)))) > 0;
}

const kinds: Readonly<Record<Kind, (modules: string) => Promise<Analyse>>> = {
  decoding: async () => async (bytes) => (await decodeImage(bytes, imageLimits)).width > 0,
  template: () => wajah(['embedding']),
  liveness: () => wajah(sessionAttributes),
  frame: () => wajah(frameAttributes),
  details: () => wajah(detailAttributes),
  human: (modules) => peer(openHuman(modules, 'all')),
  humanTemplate: (modules) => peer(openHuman(modules, 'template')),
  faceApi: (modules) => peer(openFaceApi(modules)),
};

const [kind = '', modules = ''] = process.argv.slice(2);
const analyse = await kinds[kind as Kind](modules);
process.on('message', async (bytes: Uint8Array) => {
  let found = false;
  const cost = await costOf(async () => {
    found = await analyse(bytes);
  });
  process.send?.({ ...cost, found } satisfies Answer);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
