import type { InferenceSession, Tensor as OnnxTensor } from '#onnxruntime';
import { EngineError } from '../errors.ts';
import type { ProviderState } from '../types.ts';
import type { Network, Tensor } from './model.ts';

/**
 * Opens an ONNX model in the calling thread. Inference uses one thread, as parallelism comes from the worker pool.
 * @param model path of the `.onnx` file, or its bytes
 * @param name name of the network in errors
 * @param providers execution providers in the order of preference; a network that they refuse runs on cpu
 * @throws EngineError `pack` when the runtime cannot load the model
 */
export async function openNetwork(
  model: NetworkFile,
  name: string,
  providers: readonly string[] = ['cpu'],
): Promise<Network> {
  const runtime = await loadRuntime();
  const others = providers.filter((provider) => provider !== 'cpu');
  const preferred = others.length > 0 ? await tryProviders(runtime, model, others) : null;
  const session = preferred ?? (await createSession(runtime, model, name));
  let open = true;
  return {
    inputs: session.inputNames,
    outputs: session.outputNames,
    async run(feeds) {
      if (!open) throw new EngineError('closed', `The network ${name} is closed.`);
      return runSession(runtime, session, feeds, name);
    },
    async close() {
      if (!open) return;
      open = false;
      await session.release();
    },
  };
}

/** Path of an `.onnx` file, or its bytes. */
type NetworkFile = string | Uint8Array;

type Runtime = Awaited<ReturnType<typeof loadRuntime>>;

/**
 * Loaded when a network is opened: the server's own process opens none. The official builds send telemetry from the moment
 * they are loaded unless the variable is set, in the main thread: a worker thread's `process.env` is only a copy.
 */
function loadRuntime() {
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
  return import('#onnxruntime');
}

const OPTIONS = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  logSeverityLevel: 3,
  // The plan of all buffers of a run saves no time and keeps its own memory, 14 MB for the built-in networks.
  enableMemPattern: false,
} as const;

/** @returns null when the providers refuse the network */
async function tryProviders(
  runtime: Runtime,
  model: NetworkFile,
  providers: readonly string[],
): Promise<InferenceSession | null> {
  const executionProviders = [...providers, 'cpu'];
  return create(runtime, model, { ...OPTIONS, executionProviders }).catch(() => null);
}

/** The library has an overload for each kind of model. */
function create(
  { InferenceSession }: Runtime,
  model: NetworkFile,
  options: InferenceSession.SessionOptions,
): Promise<InferenceSession> {
  if (typeof model === 'string') return InferenceSession.create(model, options);
  return InferenceSession.create(model, options);
}

/** A network of one Relu, x → y, [1, 1]. */
const PROBE =
  'CAgSBXdhamFoOmIKGQoBeBIGUmVsdV8xGgZSZWx1XzEiBFJlbHUKGAoGUmVsdV8xEgF5GgF5IghJZGVudGl0eRIBcFoTCgF4Eg4KDAgBEggKAggBCgIIAWITCgF5Eg4KDAgBEggKAggBCgIIAUIECgAQEQ==';

/** Runs a small network with each execution provider, in the calling process, which a driver may end. */
export async function probeProviders(names: readonly string[]): Promise<ProviderState[]> {
  const runtime = await loadRuntime();
  const backends = new Map(runtime.listSupportedBackends().map(({ name, bundled }) => [name, bundled]));
  const states: ProviderState[] = [];
  for (const name of names) {
    const problem = backends.has(name as never)
      ? await probe(runtime, name)
      : 'this build of ONNX Runtime does not have it';
    states.push({ name, builtIn: backends.get(name as never) ?? false, problem });
  }
  return states;
}

async function probe(
  { InferenceSession, Tensor: InputTensor }: Runtime,
  name: string,
): Promise<string | null> {
  try {
    const model = new Uint8Array(Buffer.from(PROBE, 'base64'));
    const session = await InferenceSession.create(model, { ...OPTIONS, executionProviders: [name] });
    await session.run({ x: new InputTensor('float32', Float32Array.of(1), [1, 1]) });
    await session.release();
    return null;
  } catch (error) {
    const [line = ''] = String((error as Error).message).split('\n');
    // The last sentence: those before name places in the library.
    return line.trim().split('. ').at(-1)!.slice(-200);
  }
}

async function createSession(runtime: Runtime, model: NetworkFile, name: string): Promise<InferenceSession> {
  try {
    return await create(runtime, model, OPTIONS);
  } catch (cause) {
    throw new EngineError(
      'pack',
      `The network ${name} could not be opened: its file is not a usable ONNX model.`,
      {
        cause,
      },
    );
  }
}

async function runSession(
  { Tensor: InputTensor }: Runtime,
  session: InferenceSession,
  feeds: Readonly<Record<string, Tensor>>,
  name: string,
): Promise<Record<string, Tensor>> {
  const inputs: Record<string, OnnxTensor> = {};
  for (const [key, tensor] of Object.entries(feeds)) {
    inputs[key] = new InputTensor('float32', tensor.data, tensor.dims);
  }
  let results: InferenceSession.OnnxValueMapType;
  try {
    results = await session.run(inputs);
  } catch (cause) {
    throw new EngineError('pack', `The network ${name} refused its input.`, { cause });
  }
  const outputs: Record<string, Tensor> = {};
  for (const [key, value] of Object.entries(results)) {
    if (!(value.data instanceof Float32Array)) {
      throw new EngineError(
        'pack',
        `The output ${key} of the network ${name} is ${value.type}, not float32.`,
      );
    }
    outputs[key] = { data: value.data, dims: value.dims };
  }
  return outputs;
}
