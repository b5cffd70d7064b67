import { features } from '../features/features.ts';
import {
  type Command,
  type CommandDeps,
  clientsHeading as clients,
  command,
  dataHeading as data,
} from './command.ts';
import { endpointCommands } from './endpoint-commands.ts';
import { machineCommands, migrate, modelCommands, rotateMaster } from './installation.ts';
import { toolCommands } from './tools.ts';

/** Commands above others. */
const group = (name: string, heading: string, line: string, about = line) =>
  command({ name, heading, line, about });

/** All commands but `serve`, in the order in which help lists them, those that are above others before them. */
export const commands = [
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
  group('keys', data, 'replace the keys of the server'),
  group('crops', data, 'erase stored face crops'),
  ...endpointCommands.map((one) => (one.name.includes(' ') ? one : { ...one, heading: data })),
  ...features.flatMap(({ commands }) => commands?.own ?? []),
  rotateMaster,
  migrate,
  ...toolCommands,
].sort((one, other) => depthOf(one) - depthOf(other));

function depthOf({ name }: Command): number {
  return name.split(' ').length;
}

type Row = (typeof toolCommands)[number];
type ToolName = Extract<Row, { readonly tool: string }>['tool'];

/** The work of commands that `@wajah/tools` exports. */
export type ToolCommands = {
  readonly [Name in ToolName]: (
    deps: CommandDeps,
    given: NonNullable<Extract<Row, { readonly tool: Name }>['given']>,
  ) => Promise<void>;
};
