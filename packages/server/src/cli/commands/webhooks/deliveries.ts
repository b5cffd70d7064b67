import { type Command, InvalidArgumentError } from 'commander';
import type { DeliverySummary } from '../../../admin/webhook-operations.ts';
import { OperatorError } from '../../../errors.ts';
import { type CommandDeps, oneOf, wholeNumber } from '../../command.ts';
import { type Columns, printList } from '../../terminal.ts';

/** Adds `webhook test | deliveries | replay`. */
export function addDeliveryCommands(webhook: Command, deps: CommandDeps): void {
  addTest(webhook, deps);
  addDeliveries(webhook, deps);
  addReplay(webhook, deps);
}

function addTest(webhook: Command, { admin, terminal }: CommandDeps): void {
  webhook
    .command('test')
    .description('send an event of the type webhook.test at once')
    .argument('<webhook_id>')
    .action(async (id: string) => {
      const error = await admin((operations) => operations.testWebhook({ id }));
      if (error !== null) throw new OperatorError(`Not delivered: ${error}`);
      terminal.out('Delivered.');
    });
}

const deliveryColumns: Columns<DeliverySummary> = {
  id: ({ id }) => id,
  type: ({ type }) => type,
  state: ({ state }) => state,
  failures: ({ attempts }) => String(attempts),
  created: ({ createdAt }) => createdAt,
  error: ({ error }) => error ?? '',
};

function addDeliveries(webhook: Command, { admin, terminal }: CommandDeps): void {
  webhook
    .command('deliveries')
    .description('list events of a webhook, the newest first')
    .argument('<webhook_id>')
    .option(
      '--state <state>',
      'only these: pending, delivered or dead',
      oneOf(['pending', 'delivered', 'dead']),
    )
    .option('--limit <n>', 'how many', wholeNumber(1, 1000), 50)
    .option('--json', 'print JSON')
    .action(
      async (id: string, options: { state?: DeliverySummary['state']; limit: number; json?: boolean }) => {
        const { state = null, limit, json } = options;
        const found = await admin((operations) => operations.listDeliveries({ id, state, limit }));
        printList(terminal, found, { json, columns: deliveryColumns, empty: 'There are none.' });
      },
    );
}

function addReplay(webhook: Command, { admin, terminal }: CommandDeps): void {
  webhook
    .command('replay')
    .description('send events again that were delivered or given up (default: those given up)')
    .argument('<webhook_id>')
    .option('--event <id>', 'only this event')
    .option('--since <time>', 'delivered ones too, written since then (ISO 8601)', parseTime)
    .action(async (id: string, { event, since }: { event?: string; since?: string }) => {
      const state = event === undefined && since === undefined ? ('dead' as const) : null;
      const filter = { id, eventId: event ?? null, since: since ?? null, state };
      const count = await admin((operations) => operations.replayWebhook(filter));
      terminal.out(`${count} ${count === 1 ? 'event is' : 'events are'} sent again.`);
    });
}

function parseTime(given: string): string {
  const time = new Date(given);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('Allowed: a time as 2026-11-23T08:00:00Z.');
  return time.toISOString();
}
