import { type Scope, scopes } from '@wajah/contract';
import { type Command, InvalidArgumentError } from 'commander';
import type { ApiTokenSummary } from '../admin/operations.ts';
import type { CommandDeps } from './program.ts';
import { table } from './terminal.ts';

interface CreateOptions {
  readonly name: string;
  readonly days?: number;
  readonly scopes?: Scope[];
  readonly json?: boolean;
}

/** Adds `token create | list | revoke`: long-lived API tokens. */
export function addTokenCommands(program: Command, deps: CommandDeps): void {
  const token = program
    .command('token')
    .helpCommand(false)
    .description('long-lived API tokens, for programs that can hold just one fixed token');
  addCreate(token, deps);
  addList(token, deps);
  token
    .command('revoke')
    .description('stop an API token at once')
    .argument('<token>', 'the token, or its id as `token list` shows it')
    .action(async (given: string) => {
      await deps.admin((operations) => operations.revokeToken({ token: given }));
      deps.terminal.out('Revoked.');
    });
}

function addCreate(token: Command, { admin, terminal }: CommandDeps): void {
  token
    .command('create')
    .description('make an API token of a client; prints it, once')
    .argument('<client_id>')
    .option('--name <name>', 'what it is for', 'api')
    .option('--days <n>', 'days until it expires (default: never)', days)
    .option('--scopes <list>', `what it may do, of ${scopes.join(', ')} (default: all)`, scopeList)
    .option('--json', 'print JSON')
    .action(async (clientId: string, options: CreateOptions) => {
      const made = await admin((operations) =>
        operations.createToken({
          ...{ clientId, name: options.name, days: options.days ?? null },
          ...(options.scopes === undefined ? {} : { scopes: options.scopes }),
        }),
      );
      if (options.json) {
        terminal.out(JSON.stringify({ id: made.id, token: made.token, expires_at: made.expiresAt }));
        return;
      }
      terminal.out(made.token);
      terminal.note(`Its id is ${made.id}. It is not shown again.`);
    });
}

function addList(token: Command, { admin, terminal }: CommandDeps): void {
  token
    .command('list')
    .description('list the API tokens of a client, without their secrets')
    .argument('<client_id>')
    .option('--json', 'print JSON')
    .action(async (clientId: string, options: { json?: boolean }) => {
      const tokens = await admin((operations) => operations.listTokens({ clientId }));
      if (options.json) terminal.out(JSON.stringify(tokens.map(tokenJson)));
      else if (tokens.length === 0) terminal.note(`${clientId} has no API tokens.`);
      else terminal.out(tokenTable(tokens));
    });
}

function scopeList(given: string): Scope[] {
  const words = given.split(',').map((word) => word.trim());
  const found = scopes.filter((scope) => words.includes(scope));
  if (found.length !== words.length) {
    throw new InvalidArgumentError(`Allowed: ${scopes.join(', ')}, separated by commas.`);
  }
  return found;
}

function days(given: string): number {
  const value = Number(given);
  if (!/^\d+$/.test(given) || value < 1 || value > 36_500) {
    throw new InvalidArgumentError('Allowed: a whole number from 1 to 36500.');
  }
  return value;
}

function tokenTable(tokens: readonly ApiTokenSummary[]): string {
  const rows = tokens.map((token) => [
    token.id,
    token.name,
    token.scopes?.join(' ') ?? 'all',
    token.createdAt.slice(0, 10),
    token.expiresAt?.slice(0, 10) ?? 'never',
    token.revokedAt?.slice(0, 10) ?? '',
  ]);
  return table(['id', 'name', 'scopes', 'created', 'expires', 'revoked'], rows);
}

function tokenJson(token: ApiTokenSummary): Record<string, unknown> {
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    revoked_at: token.revokedAt,
  };
}
