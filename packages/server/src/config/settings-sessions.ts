import { choice, define, group, integer, mebibytes, networks, toggle } from './setting.ts';

export const sessions = group('Liveness sessions', {
  seconds: define({
    name: 'WAJAH_SESSION_SECONDS',
    fallback: '60',
    ...integer(10, 300),
    unit: 's',
    description:
      'Lifetime of a liveness session in seconds, from create-session to the submission of its frames.',
  }),
  light: define({
    name: 'WAJAH_LIGHT_CHALLENGE',
    fallback: 'off',
    ...choice(['off', 'optional', 'required']),
    description:
      'Whether a session may show colours on the screen and check that the face reflects them: `optional` where create-session asks for it with `light: true`, `required` in every session. No real device has been measured yet.',
  }),
});

export const recording = group('Recorded sessions', {
  on: define({
    name: 'WAJAH_RECORD_SESSIONS',
    fallback: 'false',
    ...toggle(),
    description:
      'Records the frames and the judgement of liveness sessions that are submitted with `consent: true`, encrypted, so that `wajah sessions` can measure error rates on your own cameras and people. Switching it off keeps what is recorded until it expires or `wajah sessions erase`.',
  }),
  days: define({
    name: 'WAJAH_RECORD_DAYS',
    fallback: '30',
    ...integer(1, 365),
    unit: 'days',
    description: 'Days after which a recorded session is erased.',
  }),
  bytes: define({
    name: 'WAJAH_RECORD_MB',
    fallback: '1024',
    ...mebibytes(1, 1_048_576),
    description:
      'Maximum size of all recorded sessions in MiB; a session has about 1. When it is reached nothing more is recorded until some expire or are erased, and the log says so.',
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
      'Private networks that webhooks of commands may be sent to, also over http. All other addresses of private and special networks are refused, so that no client reaches services behind the firewall.',
  }),
  clientNetworks: define({
    name: 'WAJAH_WEBHOOK_CLIENT_NETWORKS',
    fallback: { text: 'none', value: [] },
    ...networks(),
    description:
      'The same for webhooks that clients create over HTTP, which WAJAH_WEBHOOK_NETWORKS does not concern: any client can have the server call every address and port there.',
  }),
});
