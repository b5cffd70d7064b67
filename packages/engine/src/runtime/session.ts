import type { InferenceSession, Tensor as OnnxTensor } from '#onnxruntime';
import { EngineError } from '../errors.ts';
import type { Network, Tensor } from './model.ts';

/**
 * Opens an ONNX model in the calling thread. Inference uses one thread, as parallelism comes from the worker pool.
 * @param model path of the `.onnx` file, or its bytes
 * @param name name of the network in errors
 * @throws EngineError `pack` when the runtime cannot load the model
 */
export async function openNetwork(model: NetworkFile, name: string): Promise<Network> {
  const runtime = await loadRuntime();
  const session = await createSession(runtime, model, name);
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

async function createSession(
  { InferenceSession: Session }: Runtime,
  model: NetworkFile,
  name: string,
): Promise<InferenceSession> {
  try {
    // The library has an overload for each kind of model.
    return await (typeof model === 'string'
      ? Session.create(model, OPTIONS)
      : Session.create(model, OPTIONS));
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
