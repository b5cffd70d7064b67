import type { Feature } from '../../feature.ts';
import { clientsHeading, command } from '../../operations/command.ts';
import { webhookOutputs } from './commands.ts';

export const webhooks: Feature = {
  commands: {
    own: [
      command({
        name: 'webhook',
        heading: clientsHeading,
        line: 'send signed events of a client to a URL',
        about: 'send signed events of a client to a URL of it; see docs/webhooks.md',
      }),
    ],
    outputs: webhookOutputs,
  },
  open: async (parts) => (await import('./open.ts')).openWebhooks(parts),
};
