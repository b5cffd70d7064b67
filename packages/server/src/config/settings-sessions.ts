import { define, group, integer, networks, toggle } from './setting.ts';

export const sessions = group('Liveness sessions', {
  seconds: define({
    name: 'WAJAH_SESSION_SECONDS',
    fallback: '60',
    ...integer(10, 300),
    unit: 's',
    description:
      'Lifetime of a liveness session in seconds, from create-session to the submission of its frames.',
  }),
  expression: define({
    name: 'WAJAH_SESSION_EXPRESSION',
    fallback: 'true',
    ...toggle(),
    description:
      'Every liveness session asks for closed eyes or an open mouth. false, for people who cannot do either on request, asks for turns of the head alone: a mask passes more easily, and so does a stolen film.',
  }),
});

export const webhooks = group('Webhooks', {
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
