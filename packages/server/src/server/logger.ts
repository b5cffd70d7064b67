import {
  type DestinationStream,
  type LogFn,
  type Logger,
  pino,
  stdSerializers,
  stdTimeFunctions,
} from 'pino';
import { type Config, inOwnWords } from '../config/config.ts';

/** Fields that are redacted at the first three levels of a log object. */
const secrets: ReadonlySet<string> = new Set([
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
]);

/**
 * Paths for pino's own redaction, each with wildcards, take 0.1 ms a line.
 * @param levels that are looked at
 * @returns the same object where it has no secret
 */
function redacted(given: object, levels = 3): object {
  if (ArrayBuffer.isView(given)) return given;
  let copy: Record<string, unknown> | null = null;
  for (const [name, value] of Object.entries(given)) {
    const nested = levels > 1 && typeof value === 'object' && value !== null;
    const shown = secrets.has(name) ? '[Redacted]' : nested ? redacted(value, levels - 1) : value;
    if (shown === value) continue;
    copy ??= copyOf(given);
    copy[name] = shown;
  }
  return copy ?? given;
}

/** Message and stack of an error are no fields that a copy would have. */
function copyOf(given: object): Record<string, unknown> {
  if (Array.isArray(given)) return [...given] as unknown as Record<string, unknown>;
  return { ...(given instanceof Error ? stdSerializers.err(given) : given) };
}

/**
 * Where log lines go: as JSON to the standard output, or as text for people where that is a terminal.
 * @returns undefined: the standard output receives JSON lines
 */
export async function logDestination(
  isTerminal: boolean,
  output: { write(text: string): boolean },
): Promise<DestinationStream | undefined> {
  if (!isTerminal) return undefined;
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
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: object) => redacted(fields) as Record<string, unknown>,
    },
    hooks: {
      // Of texts for people, which may name a command.
      logMethod(args: Parameters<LogFn>, method: LogFn) {
        method.apply(this, args.map((one) => (typeof one === 'string' ? inOwnWords(one) : one)) as never);
      },
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
