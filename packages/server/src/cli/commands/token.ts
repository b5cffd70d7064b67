import { ordinaryScopes, type Scope, scopes } from '@wajah/contract/values';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ApiTokenSummary } from '../../admin/operations.ts';
import { OperatorError } from '../../errors.ts';
import { bindingText } from '../../services/accounts/bindings.ts';
import { boundServices, type TokenBinding } from '../../store/token-store.ts';
import { type CommandDeps, wholeNumber } from '../command.ts';
import { type Columns, dayOf, printList } from '../terminal.ts';

interface CreateOptions {
  readonly name: string;
  readonly days?: number;
  readonly scopes?: Scope[];
  readonly compreface?: TokenBinding['service'];
  readonly gallery?: string;
  readonly json?: boolean;
}

/** Adds `token create | list | revoke`: long-lived API tokens. */
export function addTokenCommands(program: Command, deps: CommandDeps): void {
  const token = program
    .command('token')
    .helpCommand(false)
    .description('manage long-lived API tokens, for programs that can hold just one fixed token');
  addCreate(token, deps);
  addList(token, deps);
  token
    .command('revoke')
    .description('revoke an API token; it is refused at once')
    .argument('<token>', 'the token, or its id as `token list` shows it')
    .action(async (given: string) => {
      await deps.admin((operations) => operations.revokeToken({ token: given }));
      deps.terminal.out('Revoked.');
    });
}

function addCreate(token: Command, { admin, terminal }: CommandDeps): void {
  token
    .command('create')
    .description('create an API token of a client; prints it, once')
    .argument('<client_id>')
    .option('--name <name>', 'name of the token in lists', 'api')
    .option('--days <n>', 'days until it expires (default: never)', wholeNumber(1, 36_500))
    .option('--scopes <list>', `scopes, of ${scopes.join(', ')} (default: all but diagnostics)`, parseScopes)
    .addOption(
      new Option(
        '--compreface <service>',
        "for CompreFace's clients: the service that it is for, and for nothing else",
      ).choices(boundServices),
    )
    .option('--gallery <name>', 'gallery of a recognition service (with --compreface)')
    .option('--json', 'print JSON')
    .action(async (clientId: string, options: CreateOptions) => {
      const { id, token, expiresAt } = await admin((operations) =>
        operations.createToken({
          clientId,
          name: options.name,
          days: options.days ?? null,
          ...(options.scopes === undefined ? {} : { scopes: options.scopes }),
          ...bindingOf(options),
        }),
      );
      if (options.json) {
        terminal.out(JSON.stringify({ id, token, expires_at: expiresAt }));
        return;
      }
      terminal.out(token);
      terminal.note(`Its id is ${id}. It is not shown again.`);
    });
}

function bindingOf({ compreface: service, gallery }: CreateOptions) {
  if (service !== undefined) return { binding: { service, galleryId: gallery ?? null } };
  if (gallery === undefined) return {};
  throw new OperatorError('--gallery: only a token made with --compreface is bound to a gallery');
}

const tokenColumns: Columns<ApiTokenSummary> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  scopes: ({ scopes }) => scopes?.join(' ') ?? ordinaryScopes.join(' '),
  for: ({ binding }) => (binding ? bindingText(binding) : ''),
  created: ({ createdAt }) => dayOf(createdAt),
  expires: ({ expiresAt }) => (expiresAt ? dayOf(expiresAt) : 'never'),
  revoked: ({ revokedAt }) => (revokedAt ? dayOf(revokedAt) : ''),
};

function addList(token: Command, { admin, terminal }: CommandDeps): void {
  token
    .command('list')
    .description('list the API tokens of a client, without their secrets')
    .argument('<client_id>')
    .option('--json', 'print JSON')
    .action(async (clientId: string, { json }: { json?: boolean }) => {
      const tokens = await admin((operations) => operations.listTokens({ clientId }));
      printList(terminal, tokens, { json, columns: tokenColumns, empty: `${clientId} has no API tokens.` });
    });
}

function parseScopes(given: string): Scope[] {
  const words = given.split(',').map((word) => word.trim());
  const found = scopes.filter((scope) => words.includes(scope));
  if (found.length !== words.length) {
    throw new InvalidArgumentError(`Allowed: ${scopes.join(', ')}, separated by commas.`);
  }
  return found;
}
