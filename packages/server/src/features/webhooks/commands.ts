import { loadConfig } from '../../config/config.ts';
import type { Outputs } from '../../operations/output.ts';

const nulls = { types: 'all' };

export const webhookOutputs: Outputs = {
  'webhook create': {
    secret: 'secret',
    nulls,
    note: (_, env) =>
      loadConfig(env).webhooks.on
        ? undefined
        : 'A server with these settings sends none: set WAJAH_WEBHOOKS=true.',
  },
  'webhook list': { nulls },
  'webhook rotate': { secret: 'secret' },
  'webhook test': { failure: ({ delivered, error }) => (delivered ? null : `Not delivered: ${error}`) },
};
