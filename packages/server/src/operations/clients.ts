import { defaultScopes, ordinaryScopes, type Scope, scopes } from '@wajah/contract/values';
import { z } from 'zod';
import { loadConfig, urlOf } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import { requirePrivateFile } from '../security/keys/private-file.ts';
import { bindingText } from '../services/accounts/bindings.ts';
import { clientIdRule, requireClient } from '../services/accounts/clients.ts';
import { signInMinutes } from '../services/accounts/sign-in-links.ts';
import type { Quota } from '../store/client-store.ts';
import { boundServices, type TokenBinding } from '../store/token-store.ts';
import {
  type Answer,
  argument,
  call,
  command,
  confirmed,
  flag,
  json,
  oneOf,
  operation,
  option,
  pick,
  someOf,
  wholeNumber,
  yes,
} from './command.ts';
import { type Columns, dayOf, printList } from './terminal.ts';

const clientId = argument('<client_id>');

/** −1 is unlimited. */
const quota = z.object({
  hits: z.int().min(-1).optional(),
  faces: z.int().min(-1).optional(),
  galleries: z.int().min(-1).optional(),
});

const limit = wholeNumber(-1, 2_147_483_647, ' (unlimited)');
const quotaOptions = {
  faces: option('--faces <n>', 'maximum number of enrolled faces, -1 is unlimited', limit),
  galleries: option('--galleries <n>', 'maximum number of galleries, -1 is unlimited', limit),
  hits: option('--hits <n>', 'maximum number of calls, -1 is unlimited', limit),
};

/** The amounts that are given. */
function given({ hits, faces, galleries }: z.output<typeof quota>): Partial<Quota> {
  return Object.fromEntries(
    Object.entries({ hits, faces, galleries }).filter(([, amount]) => amount !== undefined),
  );
}

const limitText = (amount: number) => (amount === -1 ? 'unlimited' : String(amount));

const createClient = call({
  name: 'client create',
  line: 'create a client; prints its secrets, once',
  about: 'create and register a client; prints its password and an access token, once',
  arguments: { clientId: argument('<client_id>', clientIdRule) },
  options: {
    password: option(
      '--password <password>',
      'password, or - to read one line from the standard input (default: random)',
    ),
    operator: flag('--operator', 'allow the client to read the status and the audit trail of the server'),
    json,
    ...quotaOptions,
  },
  calls: operation('createClient', {
    input: z.object({
      clientId: z.string(),
      password: z.string().optional(),
      quota,
      /** Lets the client read the status and the audit trail of the server. */
      operator: z.boolean().optional(),
    }),
    act: ({ clientId, operator = false }) => [clientId, { operator }],
    run: ({ accounts }, { clientId, password, operator = false, quota }) =>
      accounts.create({
        clientId,
        operator,
        quota: given(quota),
        ...(password === undefined ? {} : { password }),
      }),
  }),
  read: async ({ clientId, password, operator, ...rest }, terminal) => ({
    clientId,
    password: password === '-' ? await terminal.readLine() : password,
    operator: operator || undefined,
    quota: given(rest),
  }),
  print: (created, options, { out, note }) => {
    const { accessToken: access_token, expiresIn: expires_in } = created;
    const answer = { client_id: created.clientId, password: created.password, access_token };
    if (options.json) return out(JSON.stringify({ ...answer, expires_in }));
    for (const [name, value] of Object.entries(answer)) out(`${name.padEnd(12)}  ${value}`);
    note(`The access token expires in ${expires_in} seconds. Neither is shown again: keep the password.`);
  },
});

const resetPassword = call({
  name: 'client reset-password',
  line: 'replace a lost password; prints the new one, once',
  about: "replace a client's password and revoke its tokens; prints the new password, once",
  arguments: { clientId },
  options: {
    passwordFile: option(
      '--password-file <file>',
      'the password is the first line of this file, or of the standard input where it is - (default: random)',
    ),
    keepTokens: flag('--keep-tokens', 'tokens of the client stay valid'),
    json,
  },
  calls: operation('resetPassword', {
    input: z.object({
      clientId: z.string(),
      password: z.string().optional(),
      keepTokens: z.boolean().default(false),
    }),
    act: ({ clientId, keepTokens }) => [clientId, { tokens: keepTokens ? 'kept' : 'revoked' }],
    /** @returns the random password; null: it was given */
    run: ({ accounts }, { clientId, password, keepTokens }) =>
      accounts.resetPassword(clientId, password, keepTokens),
  }),
  read: async ({ clientId, passwordFile: file, keepTokens }, terminal) => ({
    clientId,
    password: file === '-' ? await terminal.readLine() : file && firstLineOf(file),
    keepTokens,
  }),
  print: (password, { clientId, keepTokens, json }, { out, note }) => {
    if (json) out(JSON.stringify({ client_id: clientId, ...(password !== null && { password }) }));
    else if (password !== null) out(password);
    note(
      `${clientId} has a new password${password === null ? '' : ', which is not shown again'}. Its tokens ${keepTokens ? 'stay valid' : 'are revoked'}.`,
    );
  },
});

/** Blanks are part of a password. */
const firstLineOf = (file: string) => requirePrivateFile(file).split(/\r?\n/, 1)[0]!;

const createSignInLink = operation('createSignInLink', {
  input: z.object({ clientId: z.string() }),
  act: ({ clientId }) => [clientId, {}],
  run: ({ signInLinks }, { clientId }) => signInLinks.create(clientId),
});

const signInLink = command({
  name: 'client sign-in-link',
  line: 'print a link that signs a client in to the console, once',
  about: `print a link that signs a client in to the console, without its password; it works once, within ${signInMinutes} minutes, and replaces the former link`,
  arguments: { clientId },
  action: async ({ reach, terminal, env }, { clientId }) => {
    const place = await reach((perform) => perform(createSignInLink, { clientId }));
    const config = loadConfig(env);
    const { readOwner } = await import('../store/data-directory.ts');
    terminal.out(`${readOwner(config.dataDir)?.url ?? urlOf(config)}${place}`);
  },
});

const listClients = operation('listClients', {
  input: z.object({}),
  act: null,
  run: async ({ store }) => {
    const shown = ['clientId', 'registeredAt', 'operator', 'createdAt', 'quota', 'used'] as const;
    return (await store.clients.list()).map((client) => pick(client, shown));
  },
});
type ClientSummary = Answer<typeof listClients>[number];

const use = ({ quota, used }: ClientSummary, name: keyof Quota) =>
  `${used[name]} of ${limitText(quota[name])}`;

const clientColumns: Columns<ClientSummary> = {
  client_id: (client) => client.clientId,
  registered: ({ registeredAt }) => (registeredAt ? 'yes' : 'no'),
  faces: (client) => use(client, 'faces'),
  galleries: (client) => use(client, 'galleries'),
  hits: (client) => use(client, 'hits'),
  created: ({ createdAt }) => dayOf(createdAt),
};

/** The clients: who may call the server, and how much. */
export const clientCommands = [
  command({
    name: 'client',
    heading: 'Clients and galleries:',
    line: 'create, list and delete clients, set their quotas',
    about: 'manage the clients: the programs that may call this server',
  }),
  createClient,
  call({
    name: 'client list',
    about: 'list the clients with their quotas and usage',
    options: { json },
    calls: listClients,
    print: (clients, { json }, terminal) => {
      const empty = 'There are no clients yet: wajah client create <client_id>';
      printList(terminal, clients, { json, columns: clientColumns, empty });
    },
  }),
  call({
    name: 'client set-quota',
    line: 'change quotas of a client',
    about: 'change quotas of a client; omitted ones stay unchanged',
    arguments: { clientId },
    options: quotaOptions,
    calls: operation('setQuota', {
      input: z.object({ clientId: z.string(), quota }),
      act: ({ clientId, quota }) => [clientId, given(quota)],
      run: ({ accounts }, { clientId, quota }) => accounts.setQuota(clientId, given(quota)),
    }),
    read: ({ clientId, ...limits }) => {
      const quota = given(limits);
      if (Object.keys(quota).length > 0) return { clientId, quota };
      throw new OperatorError('Name at least one of --faces, --galleries and --hits.');
    },
    print: (_, { clientId, ...limits }, { out }) => {
      const changed = Object.entries(given(limits)).map(([name, amount]) => `${name} ${limitText(amount)}`);
      out(`Quota of ${clientId}: ${changed.join(', ')}.`);
    },
  }),
  call({
    name: 'client set-operator',
    line: 'allow a client to read status and audit trail',
    about: 'allow or forbid a client to read the status and the audit trail of the server',
    arguments: { clientId, allowed: argument('<yes|no>', 'allow or forbid', oneOf(['yes', 'no'])) },
    calls: operation('setOperator', {
      input: z.object({ clientId: z.string(), operator: z.boolean() }),
      act: ({ clientId, operator }) => [clientId, { operator }],
      run: ({ accounts }, { clientId, operator }) => accounts.setOperator(clientId, operator),
    }),
    read: ({ clientId, allowed }) => ({ clientId, operator: allowed === 'yes' }),
    print: (_, { clientId, allowed }, { out }) =>
      out(`${clientId} is ${allowed === 'yes' ? 'an' : 'no'} operator.`),
  }),
  resetPassword,
  { ...signInLink, calls: createSignInLink },
  call({
    name: 'client delete',
    line: 'erase a client with its galleries and tokens',
    about: 'erase a client with its galleries, faces and tokens',
    arguments: { clientId },
    options: { yes },
    calls: operation('deleteClient', {
      input: z.object({ clientId: z.string() }),
      // Its record is the receipt.
      act: null,
      /** The receipt is null when no audit record could be written. */
      run: async ({ accounts, events }, { clientId }) => {
        const erased = await accounts.remove(clientId);
        const receipt = await events.administered(null, { operation: 'delete-client', ...erased });
        return { ...erased, receipt };
      },
    }),
    read: async ({ clientId, yes }, terminal) => {
      const question = `Erase the client ${clientId} with all its galleries and faces? This cannot be undone.`;
      const refusal = 'Nothing was erased. Answer y, or pass --yes where no one can answer.';
      await confirmed(terminal, yes, question, refusal);
      return { clientId };
    },
    print: ({ galleries, faces, receipt }, { clientId }, { out }) => {
      out(`Erased ${clientId}: ${galleries} galleries, ${faces} faces.`);
      if (receipt) out(`Receipt: record ${receipt.number}, ${receipt.at}, ${receipt.hash}`);
    },
  }),
] as const;

const createToken = operation('createToken', {
  input: z.object({
    clientId: z.string(),
    name: z.string(),
    /** Days until it expires; null: never. */
    days: z.number().positive().nullable().default(null),
    /** Absent: `recognise`, or those that its service needs. */
    scopes: z.array(z.enum(scopes)).min(1).optional(),
    /** The service of CompreFace that it is for, and the gallery of a recognition service. */
    binding: z.object({ service: z.enum(boundServices), galleryId: z.string().nullable() }).optional(),
  }),
  act: ({ clientId, scopes, binding }) => [
    clientId,
    {
      scopes: scopes?.join(' ') ?? (binding ? 'of its service' : defaultScopes.join(' ')),
      ...(binding && { service: binding.service }),
      ...(binding?.galleryId && { facegallery_id: binding.galleryId }),
    },
  ],
  run: ({ tokens }, { clientId, name, days, scopes, binding }) => {
    const expires = days === null ? null : new Date(Date.now() + days * 24 * 60 * 60 * 1000);
    return tokens.createFor(clientId, name, expires, scopes, binding);
  },
});

function bindingOf(service: TokenBinding['service'] | undefined, gallery: string | undefined) {
  if (service !== undefined) return { service, galleryId: gallery ?? null };
  if (gallery === undefined) return undefined;
  throw new OperatorError('--gallery: only a token made with --compreface is bound to a gallery');
}

/** A token is not named in the audit trail: what is given may be the token itself. */
const revokeToken = operation('revokeToken', {
  input: z.object({ token: z.string() }),
  act: () => [null, {}],
  run: ({ tokens }, { token }) => tokens.revokeAny(token),
});

const listTokens = operation('listTokens', {
  input: z.object({ clientId: z.string() }),
  act: null,
  run: async ({ store }, { clientId }) => {
    await requireClient(store, clientId);
    const shown = ['id', 'name', 'scopes', 'createdAt', 'expiresAt', 'revokedAt', 'binding'] as const;
    return (await store.tokens.list(clientId)).map((token) => pick(token, shown));
  },
});

const tokenColumns: Columns<Answer<typeof listTokens>[number]> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  scopes: ({ scopes }) => (scopes ?? ordinaryScopes).join(' '),
  for: ({ binding }) => (binding ? bindingText(binding) : ''),
  created: ({ createdAt }) => dayOf(createdAt),
  expires: ({ expiresAt }) => (expiresAt ? dayOf(expiresAt) : 'never'),
  revoked: ({ revokedAt }) => (revokedAt ? dayOf(revokedAt) : ''),
};

/** Long-lived API tokens. */
export const tokenCommands = [
  command({
    name: 'token',
    heading: 'Clients and galleries:',
    line: 'create, list and revoke API tokens',
    about: 'manage long-lived API tokens, for programs that can hold just one fixed token',
  }),
  call({
    name: 'token create',
    about: 'create an API token of a client; prints it, once',
    arguments: { clientId },
    options: {
      name: option('--name <name>', 'name of the token in lists', undefined, 'api'),
      days: option('--days <n>', 'days until it expires (default: never)', wholeNumber(1, 36_500)),
      scopes: option(
        '--scopes <list>',
        `scopes, of ${scopes.join(', ')} (default: ${defaultScopes}; with --compreface what the service needs)`,
        someOf<Scope>(scopes),
      ),
      compreface: {
        ...option<TokenBinding['service'] | undefined>(
          '--compreface <service>',
          "for CompreFace's clients: the service that it is for, and for nothing else",
          undefined,
          undefined,
        ),
        choices: boundServices,
      },
      gallery: option('--gallery <name>', 'gallery of a recognition service (with --compreface)'),
      json,
    },
    calls: createToken,
    read: ({ compreface, gallery, json: _, ...token }) => ({
      ...token,
      binding: bindingOf(compreface, gallery),
    }),
    print: ({ id, token, expiresAt }, { json }, { out, note }) => {
      if (json) return out(JSON.stringify({ id, token, expires_at: expiresAt }));
      out(token);
      note(`Its id is ${id}. It is not shown again.`);
    },
  }),
  call({
    name: 'token list',
    line: 'list the API tokens of a client',
    about: 'list the API tokens of a client, without their secrets',
    arguments: { clientId },
    options: { json },
    calls: listTokens,
    print: (tokens, { clientId, json }, terminal) =>
      printList(terminal, tokens, { json, columns: tokenColumns, empty: `${clientId} has no API tokens.` }),
  }),
  call({
    name: 'token revoke',
    about: 'revoke an API token; it is refused at once',
    arguments: { token: argument('<token>', 'the token, or its id as `token list` shows it') },
    calls: revokeToken,
    print: (_, __, { out }) => out('Revoked.'),
  }),
] as const;
