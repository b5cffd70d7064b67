import { z } from 'zod';
import type { Config, Environment } from '../config/config.ts';
import type { DoctorFinding } from '../doctor/findings.ts';
import { OperatorError } from '../errors.ts';
import type { Events } from '../events.ts';
import type { Matcher } from '../matching/ports.ts';
import type { TemplateVault } from '../security/vaults/template-vault.ts';
import type { Store } from '../store/ports.ts';
import type { AuditReader } from './audit-trail.ts';
import type { ModelOperations } from './models.ts';
import type { CallEndpoint, Transport } from './operator-calls.ts';
import type { Terminal } from './terminal.ts';
import type { UpgradeOperations } from './upgrade.ts';

/** What operations work with, in the process that owns the store. */
export interface OperationParts {
  readonly store: Store;
  readonly vault: TemplateVault;
  readonly matcher: Matcher;
  readonly config: Config;
  readonly events: Pick<Events, 'administered'>;
}

/** Whom an act of the operator concerns, and facts without personal data. */
export type Act = readonly [
  clientId: string | null,
  facts: Readonly<Record<string, string | number | boolean>>,
];

/** What the process that owns the store does for a command. */
export interface Operation<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Result = unknown,
> {
  /** On the admin socket and, in kebab-case, in the audit trail. */
  readonly operation: Name;
  /** Is checked where the operation runs: a command may be of another version than the server. */
  readonly input: Input;
  /** What the audit trail says when it is done; null: nothing was changed and no face shown, or it records itself. */
  readonly act: ((input: z.output<Input>) => Act | null) | null;
  /**
   * A result crosses the admin socket as JSON: times as ISO 8601, bytes as base64.
   * @throws OperatorError | Refusal
   */
  run(parts: OperationParts, input: z.output<Input>): Promise<Result>;
}

/** @param name as the audit trail has it, in camelCase */
export function operation<const Name extends string, Input extends z.ZodObject, Result>(
  name: Name,
  row: Omit<Operation<Name, Input, Result>, 'operation'>,
): Operation<Name, Input, Result> {
  return { operation: name, ...row };
}

/** As JSON has it: times as ISO 8601, bytes as base64. */
export type Plain<T> = T extends Date | Uint8Array
  ? string
  : T extends object
    ? { readonly [Name in keyof T]: Plain<T[Name]> }
    : T;

/** The named fields of a record: an answer says nothing else of it. */
export function pick<T extends object, const Name extends keyof T>(
  record: T,
  names: readonly Name[],
): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T, Name>;
}

/** The answer to a command. */
export type Answer<O> = O extends Operation<string, infer _, infer Result> ? Plain<Result> : never;

/** Runs an operation in the process that owns the store. */
export type Perform = <Input extends z.ZodObject, Result>(
  operation: Operation<string, Input, Result>,
  input: z.input<Input>,
) => Promise<Plain<Result>>;

/** Runs operations by their name. */
export const performBy = (call: (operation: string, input: unknown) => Promise<unknown>): Perform =>
  ((one: Operation, input: unknown) => call(one.operation, input)) as Perform;

/** What the commands work with. Modules that load a large library are imported by the command that needs them. */
export interface CommandDeps {
  readonly terminal: Terminal;
  /** Where settings are read from; by default the environment of the process. */
  readonly env?: Environment | undefined;
  /** The process that owns the data directory is the running server, or this one. */
  reach<T>(work: (perform: Perform) => Promise<T>): Promise<T>;
  /** Calls endpoints as the operator, of the running server or in this process. */
  callAsOperator<T>(work: (call: CallEndpoint, send: Transport) => Promise<T>): Promise<T>;
  models(): Promise<ModelOperations>;
  /** Upgrades the schema of the store. */
  upgrades(): Promise<UpgradeOperations>;
  /** Checks the audit trail with the master key. */
  audit(): Promise<AuditReader>;
  doctor(): Promise<DoctorFinding[]>;
  /** Serves until SIGINT or SIGTERM. */
  serve(): Promise<void>;
  /** Imports a package that may be missing. @throws OperatorError that says so */
  library(name: Library): Promise<unknown>;
}

/** Packages that some commands need. */
export type Library = 'tools' | 'evaluation';

/** An argument or option of a command line. */
export interface Parameter<T> {
  /** As help shows it: `<client_id>`, `--days <n>`. */
  readonly flags: string;
  readonly about?: string | undefined;
  /** @throws OperatorError that says what is allowed */
  readonly parse?: ((given: string) => unknown) | undefined;
  readonly fallback?: T | undefined;
  readonly isRequired?: boolean;
  readonly choices?: readonly string[];
  /** Name of an option that it is not given with. */
  readonly conflicts?: string;
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>;
type None = Record<never, never>;

/** The values of parameters; those that are not given are undefined, flags false. */
export type Given<P> = { readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never };

export function argument(flags: string, about?: string): Parameter<string>;
export function argument<T>(flags: string, about: string, parse: (given: string) => T): Parameter<T>;
export function argument<T>(flags: string, about?: string, parse?: (given: string) => T): Parameter<T> {
  return { flags, about, parse };
}

/** An option with a value. */
export function option(flags: string, about: string): Parameter<string | undefined>;
export function option<T>(
  flags: string,
  about: string,
  parse: (given: string) => T,
): Parameter<T | undefined>;
export function option<T>(
  flags: string,
  about: string,
  parse: ((given: string) => T) | undefined,
  fallback: T,
): Parameter<T>;
export function option<T>(
  flags: string,
  about: string,
  parse?: (given: string) => T,
  fallback?: T,
): Parameter<T | undefined> {
  return { flags, about, parse, fallback };
}

/** An option that must be given. */
export function required(flags: string, about: string): Parameter<string>;
export function required<T>(flags: string, about: string, parse: (given: string) => T): Parameter<T>;
export function required<T>(flags: string, about: string, parse?: (given: string) => T): Parameter<T> {
  return { flags, about, parse, isRequired: true };
}

/** An option without a value. */
export function flag(flags: string, about: string): Parameter<boolean> {
  return { flags, about };
}

export const json = flag('--json', 'print JSON');
export const yes = flag('-y, --yes', 'do not ask');

/** What an archive is sealed with. */
export const secretOptions = {
  passphraseFile: option(
    '--passphrase-file <file>',
    'sealed with the passphrase on the first line of this file',
  ),
  keyFile: {
    ...option('--key-file <file>', 'sealed with this file of at least 32 bytes'),
    conflicts: 'passphraseFile',
  },
};

/** Sealed bytes cross the admin socket as base64: the command opens and seals them under the master key. */
export const bytes = z.string().transform((base64) => new Uint8Array(Buffer.from(base64, 'base64')));

/** A command of the command line. */
export interface Command {
  /** With the name of the command above it: `client create`. */
  readonly name: string;
  /** Its heading in the list of all commands, of a command that no other is above. */
  readonly heading?: string | undefined;
  /** Its line in lists of commands; by default the description. */
  readonly line?: string | undefined;
  readonly about: string;
  readonly arguments: Parameters;
  readonly options: Parameters;
  /** Text after its help. */
  readonly after?: (() => string) | undefined;
  /** Undefined: other commands are below it, and it does nothing by itself. */
  readonly action?: (deps: CommandDeps, given: never) => Promise<void>;
}

interface CommandRow<A extends Parameters, O extends Parameters>
  extends Pick<Command, 'name' | 'heading' | 'line' | 'about' | 'after'> {
  readonly arguments?: A;
  readonly options?: O;
}

/** A command that does its work in the process of the command line, with any number of operations. */
export function command<A extends Parameters = None, O extends Parameters = None>(
  row: CommandRow<A, O> & { action?(deps: CommandDeps, given: Given<A & O>): Promise<void> },
): Command {
  return { ...row, arguments: row.arguments ?? {}, options: row.options ?? {} };
}

interface Call<Name extends string, Input extends z.ZodObject, Result, Line> {
  readonly calls: Operation<Name, Input, Result>;
  /** The input of the operation; by default what is given under the names of its fields. */
  read?(given: Line, terminal: Terminal): z.input<Input> | Promise<z.input<Input>>;
  print(result: Plain<Result>, given: Line, terminal: Terminal): void;
}

/** A command that is one operation. */
export function call<
  Name extends string,
  Input extends z.ZodObject,
  Result,
  A extends Parameters = None,
  O extends Parameters = None,
>(
  row: CommandRow<A, O> & Call<Name, Input, Result, Given<A & O>>,
): Command & { readonly calls: Operation<Name, Input, Result> } {
  const { calls, read, print, ...about } = row;
  const fields = Object.keys(calls.input.shape);
  const picked = (given: Given<A & O>) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => fields.includes(name))) as z.input<Input>;
  return {
    ...command({
      ...about,
      action: async ({ reach, terminal }, given: Given<A & O>) => {
        const input = await (read ?? picked)(given, terminal);
        print(await reach((perform) => perform(calls, input)), given, terminal);
      },
    }),
    calls,
  };
}

interface ToolPackage {
  readonly commands: Readonly<Record<string, NonNullable<Command['action']>>>;
}

/** A command whose work is in `@wajah/tools`. */
export type ToolCommand<Name extends string, Line> = Command & {
  readonly tool: Name;
  /** For types only. */
  readonly given?: Line;
};

/** @param name of the function of `@wajah/tools` that does the work */
export function tool<const Name extends string, A extends Parameters = None, O extends Parameters = None>(
  name: Name,
  row: CommandRow<A, O>,
): ToolCommand<Name, Given<A & O>> {
  const action = async (deps: CommandDeps, given: Given<A & O>) => {
    const { commands } = (await deps.library('tools')) as ToolPackage;
    await commands[name]!(deps, given as never);
  };
  return { ...command({ ...row, action }), tool: name };
}

/** Asks unless the caller has agreed already. @throws OperatorError when the answer is no */
export async function confirmed(
  terminal: Pick<Terminal, 'confirm'>,
  agreed: boolean,
  question: string,
  refusal = 'Nothing was erased; --yes erases without asking.',
): Promise<void> {
  if (!agreed && !(await terminal.confirm(question))) throw new OperatorError(refusal);
}

/** A parser of one of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): (given: string) => Word {
  return (given) => {
    const found = words.find((word) => word === given);
    if (found !== undefined) return found;
    const listed = words.length > 2 ? `one of ${words.join(', ')}` : words.join(' or ');
    throw new OperatorError(`Allowed: ${listed}.`);
  };
}

/** A parser of a list of words with commas between; they are returned in the order of `words`. */
export function someOf<const Word extends string>(words: readonly Word[]): (given: string) => Word[] {
  return (given) => {
    const named = given.split(',').map((word) => word.trim());
    const found = words.filter((word) => named.includes(word));
    if (found.length === named.length) return found;
    throw new OperatorError(`Allowed: ${words.join(', ')}, separated by commas.`);
  };
}

/** A parser of a whole number. @param note on `min` for the error message */
export function wholeNumber(min: number, max: number, note = ''): (given: string) => number {
  return (given) => {
    const value = Number(given);
    if (/^-?\d+$/.test(given) && value >= min && value <= max) return value;
    throw new OperatorError(`Allowed: a whole number from ${min}${note} to ${max}.`);
  };
}

/** A parser of a number, also in scientific notation. */
export function numberIn(min: number, max: number, allowed = `${min} to ${max}`): (given: string) => number {
  return (given) => {
    const value = Number(given);
    if (given.trim() !== '' && value >= min && value <= max) return value;
    throw new OperatorError(`Allowed: a number from ${allowed}.`);
  };
}

/** A parser of a decimal number from 0 to 1, without an exponent. */
export function share(given: string): number {
  const value = Number(given);
  if (/^(\d+(\.\d*)?|\.\d+)$/.test(given) && value <= 1) return value;
  throw new OperatorError('Allowed: a number from 0 to 1.');
}

/** A parser of a time, which it returns as ISO 8601. @param allowed for the error message */
export function timeAs(allowed: string): (given: string) => string {
  return (given) => {
    const time = new Date(given);
    if (!Number.isNaN(time.getTime())) return time.toISOString();
    throw new OperatorError(`Allowed: ${allowed}.`);
  };
}

export const isoTime = timeAs('an ISO 8601 time, such as 2026-01-31');
