// One analyser in a process of its own, for peers.ts: arguments are its kind and the folder with the peers' packages.
// Each message has the bytes of a picture.
import { keptPixels } from '../../../../packages/engine/dist/attributes.js';
import { decodeImage } from '../../../../packages/engine/dist/imaging/decode.js';
import { type Attribute, openEngineInThread } from '../../../../packages/engine/dist/index.js';
import { frontAttributes, turnAttributes } from './attributes.ts';
import { openFaceApi, openHuman, type Peer } from './peers.ts';
import { imageLimits } from './photographs.ts';
import { costOf } from './time-paths.ts';

/** What a process analyses pictures with. */
export type Kind =
  | 'decoding'
  | 'template'
  | 'plus'
  | 'turn'
  | 'front'
  | 'human'
  | 'humanTemplate'
  | 'faceApi';

/** Answer to a picture. */
export interface Answer {
  /** CPU time of the analysis, milliseconds. */
  readonly cpuMs: number;
  /** Whether a face was found. */
  readonly found: boolean;
}

/** Prepares the analysis of a picture; only the analysis itself is measured. */
type Prepare = (bytes: Uint8Array) => Promise<() => Promise<boolean>>;

/** @param id an installed pack */
async function wajah(attributes: readonly Attribute[], id = 'builtin'): Promise<Prepare> {
  const pack = { id, packsDir: 'data/packs', acceptNonCommercial: false, withoutPadNetworks: true };
  const engine = await openEngineInThread({ image: imageLimits, pack });
  const request = { attributes, maxFaces: 1, search: 'fast' } as const;
  return async (bytes) => async () => (await engine.analyze(bytes, request)).faces.length > 0;
}

async function peer(opening: Promise<Peer>): Promise<Prepare> {
  const analyse = await opening;
  return async (bytes) => async () => (await analyse(keptPixels(await decodeImage(bytes, imageLimits)))) > 0;
}

const kinds: Readonly<Record<Kind, (modules: string) => Promise<Prepare>>> = {
  decoding: async () => async (bytes) => async () => (await decodeImage(bytes, imageLimits)).width > 0,
  template: () => wajah(['embedding']),
  plus: () => wajah(['embedding'], 'plus'),
  turn: () => wajah(turnAttributes),
  front: () => wajah(frontAttributes),
  human: (modules) => peer(openHuman(modules, 'all')),
  humanTemplate: (modules) => peer(openHuman(modules, 'template')),
  faceApi: (modules) => peer(openFaceApi(modules)),
};

const [kind = '', modules = ''] = process.argv.slice(2);
const prepare = await kinds[kind as Kind](modules);
process.on('message', async (bytes: Uint8Array) => {
  let found = false;
  const analyse = await prepare(bytes);
  const cpuMs = await costOf(async () => {
    found = await analyse();
  });
  process.send?.({ cpuMs, found } satisfies Answer);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
