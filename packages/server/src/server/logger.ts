import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from '../config/config.ts';

/** Fields that are redacted at the first three levels of a log object. */
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
 * Creates the logger: JSON lines with ISO 8601 times.
 * @param destination by default the standard output
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
