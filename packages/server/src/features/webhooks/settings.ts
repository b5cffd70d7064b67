import { define, group, networks, toggle } from '../../config/setting.ts';

export const webhookSettings = group('Webhooks', {
  on: define({
    name: 'WAJAH_WEBHOOKS',
    fallback: 'false',
    ...toggle(),
    description:
      'Sends signed events of clients to their endpoints (`wajah webhook create`): enrolments, erasures, verifications, identifications, refusals and failed liveness. Events name user_id; see webhooks.md.',
  }),
  networks: define({
    name: 'WAJAH_WEBHOOK_NETWORKS',
    fallback: { text: 'none', value: [] },
    ...networks(),
    description:
      'Private networks that webhooks may be sent to, also over http: any client with the scope webhooks can have the server call every address and port there. All other addresses of private and special networks are refused.',
  }),
});
