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
  'quickEmbedding',
  'accesstoken',
  'authorization',
];

/**
 * Where log lines go: as JSON to the standard output, or as text for people.
 * @param isTerminal whether the standard output is a terminal, for the format `auto`
 * @returns undefined: the standard output receives JSON lines
 */
export async function logDestination(
  format: Config['logFormat'],
  isTerminal: boolean,
  output: { write(text: string): boolean },
): Promise<DestinationStream | undefined> {
  if (format === 'json' || (format === 'auto' && !isTerminal)) return undefined;
  // Loaded on use: most servers log JSON lines.
  const { prettyFactory } = await import('pino-pretty');
  const toText = prettyFactory({
    colorize: isTerminal && process.stdout.hasColors?.() === true,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    // The message of an event is its name.
    ignore: 'event',
  });
  return { write: (line) => void output.write(toText(line)) };
}

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
