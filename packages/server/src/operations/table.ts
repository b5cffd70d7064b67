import type { z } from 'zod';
import { OperatorError, Refusal, SealError } from '../errors.ts';
import { auditCommands, auditOperations } from './audit.ts';
import { backupCommands, recordBackup } from './backup.ts';
import { clientCommands, tokenCommands } from './clients.ts';
import type { Command, CommandDeps, Operation, OperationParts, Perform, Plain } from './command.ts';
import { evaluationCommands } from './evaluation.ts';
import { galleryCommands, galleryOperations } from './galleries.ts';
import { importCommands } from './import.ts';
import {
  configCommands,
  machineCommands,
  migrateCommands,
  modelCommands,
  serveCommands,
} from './installation.ts';
import { keyCommands } from './keys.ts';
import { cropCommands, migrationCommands, migrationOperations } from './migration.ts';
import { personCommands, personOperations, processingCommands } from './people.ts';
import { webhookCommands } from './webhooks.ts';

/** All commands, in the order in which help lists them. */
export const commands = [
  ...serveCommands,
  ...clientCommands,
  ...galleryCommands,
  ...personCommands,
  ...tokenCommands,
  ...webhookCommands,
  ...keyCommands,
  ...modelCommands,
  ...migrationCommands,
  ...cropCommands,
  ...importCommands,
  ...migrateCommands,
  ...backupCommands,
  ...machineCommands,
  ...auditCommands,
  ...processingCommands,
  ...evaluationCommands,
  ...configCommands,
] as const;

type Row = (typeof commands)[number];
type AnyOperation =
  | (Row extends infer One ? (One extends { readonly calls: infer Called } ? Called : never) : never)
  | (typeof galleryOperations)[number]
  | (typeof personOperations)[number]
  | (typeof auditOperations)[number]
  | (typeof migrationOperations)[number]
  | typeof recordBackup;

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
  ...commands.flatMap((row: Command & { readonly calls?: unknown }) =>
    row.calls ? [row.calls as Operation] : [],
  ),
  ...([
    ...galleryOperations,
    ...personOperations,
    ...auditOperations,
    ...migrationOperations,
    recordBackup,
  ] as readonly unknown[] as readonly Operation[]),
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
  if (operation === 'recordBackup') return 'backup';
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
