import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from '../config/config.ts';

/** Fields that may never reach a log, wherever a mistake puts them. */
const secrets = [
  'image',
  'source_image',
  'target_image',
  'ktp_image',
  'batch',
  'password',
  'client_secret',
  'access_token',
  'token',
  'template',
  'embedding',
  'accesstoken',
  'authorization',
];

/**
 * The log: JSON lines with ISO times.
 * @param destination the standard output unless a test gives another
 */
export function createLogger(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  };
  return destination ? pino(options, destination) : pino(options);
}
