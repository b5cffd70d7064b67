import type { z } from 'zod';
import { OperatorError, Refusal, SealError } from '../errors.ts';
import { auditCommands } from './audit.ts';
import { backupCommands } from './backup.ts';
import {
  type Command,
  type CommandDeps,
  command,
  type Operation,
  type OperationParts,
  type Perform,
  type Plain,
} from './command.ts';
import { duplicates } from './duplicates.ts';
import { endpointCommands } from './endpoint-commands.ts';
import { evaluationCommands } from './evaluation.ts';
import { importCommands } from './import.ts';
import {
  configCommands,
  machineCommands,
  migrateCommands,
  modelCommands,
  serveCommands,
} from './installation.ts';
import { keyCommands } from './keys.ts';
import { migrationCommands, migrationOperations } from './migration.ts';

const clients = 'Clients and galleries:';
const data = 'Stored data:';

/** Commands above others. */
const group = (name: string, heading: string, line: string, about = line) =>
  command({ name, heading, line, about });

/** Commands that do their work in the process of the command line. */
const localCommands = [
  ...serveCommands,
  ...modelCommands,
  ...machineCommands,
  ...configCommands,
  duplicates,
  ...keyCommands,
  ...migrationCommands,
  ...importCommands,
  ...migrateCommands,
  ...backupCommands,
  ...auditCommands,
  ...evaluationCommands,
] as const;

/** All commands, in the order in which help lists them; those that are above others come before them. */
export const commands: readonly Command[] = [
  ...localCommands.filter(({ heading }) => heading === 'The server:'),
  group('client', clients, 'create, list and delete clients, set their quotas'),
  group('gallery', clients, 'list galleries, set their rules, find duplicates'),
  group(
    'person',
    clients,
    'export, erase and suspend people, list who expires',
    'consent, retention, suspension, export and erasure of people; see docs/privacy.md',
  ),
  group('token', clients, 'create, list and revoke API tokens'),
  group(
    'webhook',
    clients,
    'send signed events of a client to a URL',
    'send signed events of a client to a URL of it; see docs/webhooks.md',
  ),
  group('keys', data, 'replace the keys of the server'),
  group('crops', data, 'erase stored face crops'),
  group(
    'audit',
    data,
    'read, check and export the audit trail',
    'read, check and export the audit trail; see docs/security.md',
  ),
  ...endpointCommands.map((one) => (one.name.includes(' ') ? one : { ...one, heading: data })),
  ...localCommands.filter(({ heading }) => heading !== 'The server:'),
];

type Row = (typeof localCommands)[number];
type AnyOperation =
  | (Row extends infer One ? (One extends { readonly calls: infer Called } ? Called : never) : never)
  | (typeof migrationOperations)[number];

type ToolName = Extract<Row, { readonly tool: string }>['tool'];

/** The work of commands that `@wajah/tools` exports. */
export type ToolCommands = {
  readonly [Name in ToolName]: (
    deps: CommandDeps,
    given: NonNullable<Extract<Row, { readonly tool: Name }>['given']>,
  ) => Promise<void>;
};

/** The operations of commands, and those that commands of several operations use. */
const operations: readonly Operation[] = [
  ...localCommands.flatMap((row: Command & { readonly calls?: unknown }) =>
    row.calls ? [row.calls as Operation] : [],
  ),
  ...(migrationOperations as readonly unknown[] as readonly Operation[]),
];

/** Name of an operation. */
type OperationName = AnyOperation['operation'];

type Named<Name extends OperationName> = Extract<AnyOperation, { readonly operation: Name }>;

/** Input of an operation, as it is given. */
export type OperationInput<Name extends OperationName> = z.input<Named<Name>['input']>;

/** The operations by name, in the process that owns the store or over its admin socket. */
export type AdminOperations = {
  readonly [Name in OperationName]: (
    input: OperationInput<Name>,
  ) => Promise<Plain<Awaited<ReturnType<Named<Name>['run']>>>>;
};

/** The operations of the process that owns the store. Each checks its input, and is recorded when it is done. */
export function createAdminOperations(parts: OperationParts): AdminOperations {
  const entries = operations.map((one) => [one.operation, (input: unknown) => run(parts, one, input)]);
  return Object.fromEntries(entries) as AdminOperations;
}

async function run(parts: OperationParts, { operation, input, act, run }: Operation, given: unknown) {
  const parsed = input.safeParse(given);
  if (!parsed.success) {
    throw new OperatorError(`${operation}: ${parsed.error.issues[0]?.message ?? 'malformed'}`);
  }
  const result = await run(parts, parsed.data).catch((error: unknown) => {
    if (error instanceof Refusal) throw new OperatorError(error.detail, { cause: error });
    throw error instanceof SealError ? new OperatorError(damagedText(error), { cause: error }) : error;
  });
  const [clientId, facts] = act?.(parsed.data) ?? [null, null];
  if (facts) await parts.events.administered(clientId, { operation: nameInTrail(operation), ...facts });
  return plain(result);
}

const damagedText = ({ message }: SealError) =>
  `${message}; \`wajah gallery check\` names what is damaged in the galleries`;

/** @example nameInTrail('setQuota') // 'set-quota' */
function nameInTrail(operation: string): string {
  return operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

/** The operations by name, as commands reach them. */
export function operationsOf(perform: Perform): AdminOperations {
  const entries = operations.map((one) => [one.operation, (input: never) => perform(one, input)]);
  return Object.fromEntries(entries) as AdminOperations;
}
