import type { Command } from 'commander';
import type { ClientSummary } from '../../admin/operations.ts';
import { OperatorError } from '../../errors.ts';
import { clientIdRule } from '../../services/accounts/clients.ts';
import { type CommandDeps, oneOf, wholeNumber } from '../command.ts';
import { type Columns, dayOf, printList } from '../terminal.ts';

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
    .description('manage the clients: the programs that may call this server');
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
      'password, or - to read one line from the standard input (default: random)',
    )
    .option('--operator', 'allow the client to read the status and the audit trail of the server')
    .option('--json', 'print JSON');
  withQuota(command).action(async (clientId: string, options: CreateOptions) => {
    const password = options.password === '-' ? await terminal.readLine() : options.password;
    const created = await admin((operations) =>
      operations.createClient({
        clientId,
        quota: quotaOf(options),
        ...(options.operator ? { operator: true } : {}),
        ...(password === undefined ? {} : { password }),
      }),
    );
    const { accessToken: access_token, expiresIn: expires_in } = created;
    const answer = { client_id: created.clientId, password: created.password, access_token };
    if (options.json) {
      terminal.out(JSON.stringify({ ...answer, expires_in }));
      return;
    }
    for (const [name, value] of Object.entries(answer)) terminal.out(`${name.padEnd(12)}  ${value}`);
    terminal.note(
      `The access token expires in ${expires_in} seconds. Neither is shown again: keep the password.`,
    );
  });
}

const clientColumns: Columns<ClientSummary> = {
  client_id: ({ clientId }) => clientId,
  registered: ({ registeredAt }) => (registeredAt ? 'yes' : 'no'),
  faces: (client) => use(client, 'faces'),
  galleries: (client) => use(client, 'galleries'),
  hits: (client) => use(client, 'hits'),
  created: ({ createdAt }) => dayOf(createdAt),
};

function use({ quota, used }: ClientSummary, name: keyof ClientSummary['quota']): string {
  return `${used[name]} of ${limitText(quota[name])}`;
}

function addList(client: Command, { admin, terminal }: CommandDeps): void {
  client
    .command('list')
    .description('list the clients with their quotas and usage')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const clients = await admin((operations) => operations.listClients({}));
      const empty = 'There are no clients yet: wajah client create <client_id>';
      printList(terminal, clients, { json, columns: clientColumns, empty });
    });
}

function addSetQuota(client: Command, { admin, terminal }: CommandDeps): void {
  const command = client
    .command('set-quota')
    .description('change quotas of a client; omitted ones stay unchanged')
    .argument('<client_id>');
  withQuota(command).action(async (clientId: string, options: QuotaOptions) => {
    const quota = quotaOf(options);
    if (Object.keys(quota).length === 0) {
      throw new OperatorError('Name at least one of --faces, --galleries and --hits.');
    }
    await admin((operations) => operations.setQuota({ clientId, quota }));
    const changed = Object.entries(quota).map(([name, limit]) => `${name} ${limitText(limit)}`);
    terminal.out(`Quota of ${clientId}: ${changed.join(', ')}.`);
  });
}

function addSetOperator(client: Command, { admin, terminal }: CommandDeps): void {
  client
    .command('set-operator')
    .description('allow or forbid a client to read the status and the audit trail of the server')
    .argument('<client_id>')
    .argument('<yes|no>', 'allow or forbid', oneOf(['yes', 'no']))
    .action(async (clientId: string, allowed: 'yes' | 'no') => {
      const operator = allowed === 'yes';
      await admin((operations) => operations.setOperator({ clientId, operator }));
      terminal.out(`${clientId} is ${operator ? 'an' : 'no'} operator.`);
    });
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
        throw new OperatorError('Nothing was erased. Answer y, or pass --yes where no one can answer.');
      }
      const erased = await admin((operations) => operations.deleteClient({ clientId }));
      terminal.out(`Erased ${clientId}: ${erased.galleries} galleries, ${erased.faces} faces.`);
      const { receipt } = erased;
      if (receipt) terminal.out(`Receipt: record ${receipt.number}, ${receipt.at}, ${receipt.hash}`);
    });
}

function withQuota(command: Command): Command {
  const limit = wholeNumber(-1, 2_147_483_647, ' (unlimited)');
  return command
    .option('--faces <n>', 'maximum number of enrolled faces, -1 is unlimited', limit)
    .option('--galleries <n>', 'maximum number of galleries, -1 is unlimited', limit)
    .option('--hits <n>', 'maximum number of calls, -1 is unlimited', limit);
}

function quotaOf({ hits, faces, galleries }: QuotaOptions): QuotaOptions {
  return {
    ...(hits === undefined ? {} : { hits }),
    ...(faces === undefined ? {} : { faces }),
    ...(galleries === undefined ? {} : { galleries }),
  };
}

const limitText = (limit: number) => (limit === -1 ? 'unlimited' : String(limit));
