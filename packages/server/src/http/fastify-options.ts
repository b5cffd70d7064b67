import { type FastifyBaseLogger, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { largestBody } from './bodies/body-reader.ts';

/** Of a name of 120 characters of four bytes, percent-encoded. */
const maxParamLength = 120 * 4 * 3;

/** Bodies are parsed with zod, and no route has a JSON schema. Without this, Fastify would load Ajv at every start. */
const noCompilers = { buildValidator: noCompiler, buildSerializer: noCompiler };

function noCompiler(): never {
  throw new Error('a route has a JSON schema');
}

/** What the apps share. */
export function fastifyOptions({ limits }: Pick<Config, 'limits'>, logger: Logger) {
  return {
    loggerInstance: logger as FastifyBaseLogger,
    // Nothing is logged by requests themselves.
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: largestBody(limits.imageBytes),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength },
    schemaController: { compilersFactory: noCompilers },
  };
}
