import type { InferenceSession, Tensor as OnnxTensor } from 'onnxruntime-node';
import { EngineError } from '../errors.ts';
import type { Network, Tensor } from '../stages/model.ts';

/**
 * Opens an ONNX model in the calling thread. Inference uses one thread, as parallelism comes from the worker pool.
 * @param model bytes of the `.onnx` file
 * @param name name of the network in errors
 * @throws EngineError `pack` when the runtime cannot load the model
 */
export async function openNetwork(model: Uint8Array, name: string): Promise<Network> {
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

type Runtime = Awaited<ReturnType<typeof loadRuntime>>;

/** Loaded when a network is opened: the server's own process opens none. */
async function loadRuntime() {
  // First: it must be evaluated before the library.
  await import('./no-telemetry.ts');
  return import('onnxruntime-node');
}

async function createSession(
  { InferenceSession }: Runtime,
  model: Uint8Array,
  name: string,
): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(model, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3,
    });
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
