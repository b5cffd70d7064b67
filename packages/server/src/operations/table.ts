import { type Command, type CommandDeps, command } from './command.ts';
import { duplicates } from './duplicates.ts';
import { endpointCommands } from './endpoint-commands.ts';
import { auditCommands, machineCommands, migrate, modelCommands, rotateMaster } from './installation.ts';
import { toolCommands } from './tools.ts';

const clients = 'Clients and galleries:';
const data = 'Stored data:';

/** Commands above others. */
const group = (name: string, heading: string, line: string, about = line) =>
  command({ name, heading, line, about });

/** All commands but `serve`, in the order in which help lists them; those that are above others come before them. */
export const commands: readonly Command[] = [
  ...modelCommands,
  ...machineCommands,
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
  duplicates,
  rotateMaster,
  migrate,
  ...toolCommands,
  ...auditCommands,
];

type Row = (typeof toolCommands)[number];
type ToolName = Extract<Row, { readonly tool: string }>['tool'];

/** The work of commands that `@wajah/tools` exports. */
export type ToolCommands = {
  readonly [Name in ToolName]: (
    deps: CommandDeps,
    given: NonNullable<Extract<Row, { readonly tool: Name }>['given']>,
  ) => Promise<void>;
};
