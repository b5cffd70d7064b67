import { webhookTypes } from '@wajah/contract/values';
import { type Command, InvalidArgumentError } from 'commander';
import type { WebhookSummary } from '../../../admin/webhook-operations.ts';
import type { WebhookType } from '../../../store/webhook-store.ts';
import type { CommandDeps } from '../../command.ts';
import { type Columns, dayOf, printList } from '../../terminal.ts';
import { addDeliveryCommands } from './deliveries.ts';

/** Adds `webhook create | list | rotate | disable | enable | test | deliveries | replay | delete`. */
export function addWebhookCommands(program: Command, deps: CommandDeps): void {
  const webhook = program
    .command('webhook')
    .helpCommand(false)
    .description('send signed events of a client to a URL of it; see docs/webhooks.md');
  addCreate(webhook, deps);
  addList(webhook, deps);
  addChanges(webhook, deps);
  addDeliveryCommands(webhook, deps);
}

function addCreate(webhook: Command, { admin, terminal }: CommandDeps): void {
  webhook
    .command('create')
    .description('create a webhook; prints the secret that signs its events, once')
    .argument('<client_id>')
    .argument('<url>')
    .option('--types <list>', `types of events, of ${webhookTypes.join(', ')} (default: all)`, parseTypes)
    .option('--json', 'print JSON')
    .action(async (clientId: string, url: string, options: { types?: WebhookType[]; json?: boolean }) => {
      const types = options.types ?? null;
      const { id, secret, on } = await admin((operations) =>
        operations.createWebhook({ clientId, url, types }),
      );
      if (options.json) return terminal.out(JSON.stringify({ id, secret }));
      terminal.out(secret);
      terminal.note(`The webhook is ${id}. The secret is not shown again.`);
      if (!on) terminal.note('Nothing is sent while WAJAH_WEBHOOKS is off.');
    });
}

const columns: Columns<WebhookSummary> = {
  id: ({ id }) => id,
  url: ({ url }) => url,
  types: ({ types }) => types?.join(' ') ?? 'all',
  state: ({ enabled, disabledReason }) => (enabled ? 'enabled' : `disabled ${disabledReason ?? ''}`.trim()),
  dropped: ({ dropped }) => String(dropped),
  created: ({ createdAt }) => dayOf(createdAt),
};

function addList(webhook: Command, { admin, terminal }: CommandDeps): void {
  webhook
    .command('list')
    .description('list the webhooks of a client, without their secrets')
    .argument('<client_id>')
    .option('--json', 'print JSON')
    .action(async (clientId: string, { json }: { json?: boolean }) => {
      const webhooks = await admin((operations) => operations.listWebhooks({ clientId }));
      printList(terminal, webhooks, { json, columns, empty: `${clientId} has no webhooks.` });
    });
}

function addChanges(webhook: Command, { admin, terminal }: CommandDeps): void {
  webhook
    .command('rotate')
    .description('replace the secret; the former one signs too for a day')
    .argument('<webhook_id>')
    .action(async (id: string) => {
      const { secret, formerUntil } = await admin((operations) => operations.rotateWebhook({ id }));
      terminal.out(secret);
      terminal.note(`The former secret signs too until ${formerUntil}.`);
    });
  for (const [name, enabled] of [['disable', false] as const, ['enable', true] as const]) {
    webhook
      .command(name)
      .description(
        enabled ? 'send events again, first those that wait' : 'send no events; those that wait are kept',
      )
      .argument('<webhook_id>')
      .action(async (id: string) => {
        await admin((operations) => operations.setWebhook({ id, enabled }));
        terminal.out(enabled ? 'Enabled.' : 'Disabled.');
      });
  }
  webhook
    .command('delete')
    .description('delete a webhook with its events')
    .argument('<webhook_id>')
    .action(async (id: string) => {
      await admin((operations) => operations.deleteWebhook({ id }));
      terminal.out('Deleted.');
    });
}

function parseTypes(given: string): WebhookType[] {
  const words = given.split(',').map((word) => word.trim());
  const found = webhookTypes.filter((type) => words.includes(type));
  if (found.length !== words.length)
    throw new InvalidArgumentError(`Allowed: ${webhookTypes.join(', ')}, separated by commas.`);
  return found;
}
