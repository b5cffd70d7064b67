import { type Command, InvalidArgumentError } from 'commander';
import type { Amounts, ClientSummary } from '../admin/operations.ts';
import { OperatorError } from '../errors.ts';
import { clientIdRule } from '../services/accounts/client-id.ts';
import type { CommandDeps } from './program.ts';
import { table } from './terminal.ts';

interface QuotaOptions {
  readonly hits?: number;
  readonly faces?: number;
  readonly galleries?: number;
}

interface CreateOptions extends QuotaOptions {
  readonly password?: string;
  readonly operator?: boolean;
  readonly json?: boolean;
}

/** Adds `client create | list | set-quota | set-operator | delete`. */
export function addClientCommands(program: Command, deps: CommandDeps): void {
  const client = program
    .command('client')
    .helpCommand(false)
    .description('the programs that may call this server');
  addCreate(client, deps);
  addList(client, deps);
  addSetQuota(client, deps);
  addSetOperator(client, deps);
  addDelete(client, deps);
}

function addCreate(client: Command, { admin, terminal }: CommandDeps): void {
  const command = client
    .command('create')
    .description('create and register a client; prints its password and an access token, once')
    .argument('<client_id>', clientIdRule)
    .option(
      '--password <password>',
      'its password, or - to read one line from the standard input (default: random)',
    )
    .option('--operator', 'it may see how the server is')
    .option('--json', 'print JSON');
  withQuota(command).action(async (clientId: string, options: CreateOptions) => {
    const password = options.password === '-' ? await terminal.readLine() : options.password;
    const asOperator = options.operator ? { operator: true } : {};
    const input = { clientId, ...asOperator, quota: quotaOf(options) };
    const made = await admin((operations) =>
      operations.createClient({ ...input, ...(password === undefined ? {} : { password }) }),
    );
    const answer = { client_id: made.clientId, password: made.password, access_token: made.accessToken };
    if (options.json) {
      terminal.out(JSON.stringify({ ...answer, expires_in: made.expiresIn }));
      return;
    }
    for (const [name, value] of Object.entries(answer)) terminal.out(`${name.padEnd(12)}  ${value}`);
    terminal.note(
      `The access token lives ${made.expiresIn} seconds. Neither is shown again: keep the password.`,
    );
  });
}

function addList(client: Command, { admin, terminal }: CommandDeps): void {
  client
    .command('list')
    .description('list the clients with what they use of their quotas')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const clients = await admin((operations) => operations.listClients({}));
      if (options.json) terminal.out(JSON.stringify(clients.map(clientJson)));
      else if (clients.length === 0)
        terminal.note('There are no clients yet: wajah client create <client_id>');
      else terminal.out(clientTable(clients));
    });
}

function addSetQuota(client: Command, { admin, terminal }: CommandDeps): void {
  const command = client
    .command('set-quota')
    .description('change what a client may use; what is not named stays')
    .argument('<client_id>');
  withQuota(command).action(async (clientId: string, options: QuotaOptions) => {
    const quota = quotaOf(options);
    if (Object.keys(quota).length === 0) {
      throw new OperatorError('Name at least one of --faces, --galleries and --hits.');
    }
    await admin((operations) => operations.setQuota({ clientId, quota }));
    const changed = Object.entries(quota).map(([name, limit]) => `${name} ${amount(limit)}`);
    terminal.out(`Quota of ${clientId}: ${changed.join(', ')}.`);
  });
}

function addSetOperator(client: Command, { admin, terminal }: CommandDeps): void {
  client
    .command('set-operator')
    .description('let a client see how the server is, or no longer')
    .argument('<client_id>')
    .argument('<yes|no>', 'whether it may', yesOrNo)
    .action(async (clientId: string, operator: boolean) => {
      await admin((operations) => operations.setOperator({ clientId, operator }));
      terminal.out(`${clientId} is ${operator ? 'an' : 'no'} operator.`);
    });
}

function yesOrNo(given: string): boolean {
  if (given !== 'yes' && given !== 'no') throw new InvalidArgumentError('Allowed: yes or no.');
  return given === 'yes';
}

function addDelete(client: Command, { admin, terminal }: CommandDeps): void {
  client
    .command('delete')
    .description('erase a client with its galleries, faces and tokens')
    .argument('<client_id>')
    .option('-y, --yes', 'do not ask')
    .action(async (clientId: string, options: { yes?: boolean }) => {
      const question = `Erase the client ${clientId} with all its galleries and faces? This cannot be undone.`;
      if (!options.yes && !(await terminal.confirm(question))) {
        throw new OperatorError('Nothing was erased. Answer y, or pass --yes where nobody can be asked.');
      }
      const erased = await admin((operations) => operations.deleteClient({ clientId }));
      terminal.out(`Erased ${clientId}: ${erased.galleries} galleries, ${erased.faces} faces.`);
    });
}

function withQuota(command: Command): Command {
  return command
    .option('--faces <n>', 'faces enrolled at a time, -1 is unlimited', limit)
    .option('--galleries <n>', 'galleries at a time, -1 is unlimited', limit)
    .option('--hits <n>', 'calls, -1 is unlimited', limit);
}

function limit(given: string): number {
  const value = Number(given);
  if (!/^-?\d+$/.test(given) || value < -1 || value > 2_147_483_647) {
    throw new InvalidArgumentError('Allowed: a whole number from -1 (unlimited) to 2147483647.');
  }
  return value;
}

function quotaOf({ hits, faces, galleries }: QuotaOptions): QuotaOptions {
  return {
    ...(hits === undefined ? {} : { hits }),
    ...(faces === undefined ? {} : { faces }),
    ...(galleries === undefined ? {} : { galleries }),
  };
}

function clientTable(clients: readonly ClientSummary[]): string {
  const use = ({ quota, used }: ClientSummary, name: keyof Amounts) =>
    `${used[name]} of ${amount(quota[name])}`;
  const rows = clients.map((client) => [
    client.clientId,
    client.registeredAt ? 'yes' : 'no',
    use(client, 'faces'),
    use(client, 'galleries'),
    use(client, 'hits'),
    client.createdAt.slice(0, 10),
  ]);
  return table(['client_id', 'registered', 'faces', 'galleries', 'hits', 'created'], rows);
}

function clientJson(client: ClientSummary): Record<string, unknown> {
  return {
    client_id: client.clientId,
    registered_at: client.registeredAt,
    operator: client.operator,
    created_at: client.createdAt,
    quota: client.quota,
    used: client.used,
  };
}

function amount(limit: number): string {
  return limit === -1 ? 'unlimited' : String(limit);
}
