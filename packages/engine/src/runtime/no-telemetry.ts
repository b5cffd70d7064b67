/**
 * The official builds of ONNX Runtime send telemetry from the moment they are loaded unless this variable is set. Must be
 * evaluated before the library, in the main thread: a worker's `process.env` is only a copy.
 */
process.env['ORT_DISABLE_TELEMETRY'] = '1';
