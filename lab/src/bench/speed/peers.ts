import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RgbPixels } from '../../../../packages/engine/dist/pad/crops.js';

/** Tools of this benchmark alone, installed into a folder outside of the product. */
const PACKAGES = {
  '@vladmandic/human': '3.3.6',
  '@vladmandic/face-api': '1.7.15',
  '@tensorflow/tfjs': '4.22.0',
  '@tensorflow/tfjs-backend-wasm': '4.22.0',
} as const;

/** Names of the libraries with their versions. */
export const peerNames = {
  human: `human ${PACKAGES['@vladmandic/human']}`,
  faceApi: `face-api ${PACKAGES['@vladmandic/face-api']}`,
} as const;

/** Analyses decoded pixels. @returns length of the template, 0: no face was found */
export type Peer = (picture: RgbPixels) => Promise<number>;

/** Folder with the packages; installs them at first use, without their scripts. */
export function installPeers(folder: string): string {
  const modules = join(folder, 'node_modules');
  const missing = Object.entries(PACKAGES).filter(([name, version]) => {
    const manifest = join(modules, name, 'package.json');
    return !existsSync(manifest) || JSON.parse(readFileSync(manifest, 'utf8')).version !== version;
  });
  if (missing.length > 0) {
    const exact = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
    const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', '--prefix', folder, ...flags, ...exact], { stdio: 'inherit' });
  }
  return modules;
}

interface Disposable {
  dispose(): void;
}

interface TensorFlow {
  tensor3d(data: Uint8Array, shape: readonly number[], type: 'int32'): Disposable;
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
}

/** Only one thread, as the networks of the engine have one. */
function useOneThread(modules: string): string {
  const wasm = createRequire(join(modules, 'x.js'))('@tensorflow/tfjs-backend-wasm') as {
    setThreadsCount(count: number): void;
  };
  wasm.setThreadsCount(1);
  return `${join(modules, '@tensorflow/tfjs-backend-wasm/dist')}/`;
}

function humanConfig(wasmPath: string, modelBasePath: string, parts: 'all' | 'template'): object {
  const off = { enabled: false };
  const rest = { enabled: parts === 'all' };
  const face = {
    enabled: true,
    detector: { rotation: true, maxDetected: 1 },
    mesh: { enabled: true },
    description: { enabled: true },
    emotion: off,
    iris: rest,
    antispoof: rest,
    liveness: rest,
  };
  return {
    backend: 'wasm',
    wasmPath,
    modelBasePath,
    debug: false,
    async: false,
    // Each picture is a new one.
    cacheSensitivity: 0,
    skipAllowed: false,
    filter: off,
    gesture: off,
    face,
    body: off,
    hand: off,
    object: off,
    segmentation: off,
  };
}

/** human on WebAssembly: mesh, iris, description, antispoof and liveness, or only mesh and description. */
export async function openHuman(modules: string, parts: 'all' | 'template'): Promise<Peer> {
  const wasmPath = useOneThread(modules);
  fetchFiles();
  const folder = join(modules, '@vladmandic/human');
  const { Human } = createRequire(folder)(join(folder, 'dist/human.node-wasm.js')) as {
    Human: new (
      config: object,
    ) => {
      readonly tf: TensorFlow;
      load(): Promise<void>;
      detect(input: unknown): Promise<{ face: { embedding?: number[] }[] }>;
    };
  };
  const human = new Human(humanConfig(wasmPath, `file://${folder}/models/`, parts));
  await human.load();
  return async ({ data, width, height }) => {
    const input = human.tf.tensor3d(data, [height, width, 3], 'int32');
    const found = await human.detect(input);
    input.dispose();
    return found.face[0]?.embedding?.length ?? 0;
  };
}

interface FaceApiNetwork {
  loadFromDisk(folder: string): Promise<void>;
}

interface FaceApi {
  readonly tf: TensorFlow & { setWasmPaths?(folder: string): void };
  readonly nets: Readonly<
    Record<'ssdMobilenetv1' | 'faceLandmark68Net' | 'faceRecognitionNet', FaceApiNetwork>
  >;
  readonly SsdMobilenetv1Options: new (options: object) => object;
  detectSingleFace(
    input: unknown,
    options: object,
  ): {
    withFaceLandmarks(): {
      withFaceDescriptor(): PromiseLike<{ readonly descriptor: Float32Array } | undefined>;
    };
  };
}

/** face-api on WebAssembly: SSD MobileNet, 68 landmarks, descriptor. */
export async function openFaceApi(modules: string): Promise<Peer> {
  const wasmPath = useOneThread(modules);
  const folder = join(modules, '@vladmandic/face-api');
  const require = createRequire(folder);
  (
    require(join(modules, '@tensorflow/tfjs-backend-wasm')) as { setWasmPaths(path: string): void }
  ).setWasmPaths(wasmPath);
  const api = require(join(folder, 'dist/face-api.node-wasm.js')) as FaceApi;
  await api.tf.setBackend('wasm');
  await api.tf.ready();
  for (const name of ['ssdMobilenetv1', 'faceLandmark68Net', 'faceRecognitionNet'] as const) {
    await api.nets[name].loadFromDisk(join(folder, 'model'));
  }
  const options = new api.SsdMobilenetv1Options({ minConfidence: 0.3, maxResults: 1 });
  return async ({ data, width, height }) => {
    const input = api.tf.tensor3d(data, [height, width, 3], 'int32');
    const found = await api.detectSingleFace(input, options).withFaceLandmarks().withFaceDescriptor();
    input.dispose();
    return found?.descriptor.length ?? 0;
  };
}

/** human loads its models with `fetch`, which does not read files in Node. */
function fetchFiles(): void {
  const original = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    return url.startsWith('file://') ? new Response(readFileSync(fileURLToPath(url))) : original(input, init);
  };
}
