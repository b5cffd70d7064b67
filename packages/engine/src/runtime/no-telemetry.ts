/**
 * The official builds of the inference library report to their maker from the moment they are loaded, unless the
 * environment of the process says otherwise. A service for biometric data tells nobody anything. Must be
 * evaluated before the library, in the main thread: a worker's `process.env` is only a copy.
 */
process.env['ORT_DISABLE_TELEMETRY'] = '1';
