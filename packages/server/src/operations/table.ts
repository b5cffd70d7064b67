import { auditCommands } from './audit.ts';
import { backupCommands } from './backup.ts';
import { type Command, type CommandDeps, command } from './command.ts';
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
import { migrationCommands } from './migration.ts';

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
type ToolName = Extract<Row, { readonly tool: string }>['tool'];

/** The work of commands that `@wajah/tools` exports. */
export type ToolCommands = {
  readonly [Name in ToolName]: (
    deps: CommandDeps,
    given: NonNullable<Extract<Row, { readonly tool: Name }>['given']>,
  ) => Promise<void>;
};
