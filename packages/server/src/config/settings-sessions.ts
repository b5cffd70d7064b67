import { sessionSteps } from '@wajah/contract/values';
import { choice, define, group, integer, mebibytes, networks, number, toggle } from './setting.ts';

export const sessions = group('Liveness sessions', {
  seconds: define({
    name: 'WAJAH_SESSION_SECONDS',
    fallback: '60',
    ...integer(10, 300),
    unit: 's',
    description:
      'Lifetime of a liveness session in seconds, from create-session to the submission of its frames.',
  }),
  frameHours: define({
    name: 'WAJAH_FRAME_HOURS',
    fallback: '24',
    ...integer(1, 8760),
    unit: 'h',
    description:
      'Hours that sealed traces of the frames of passed sessions are kept, to refuse their replay in another session.',
  }),
  minSteps: define({
    name: 'WAJAH_SESSION_MIN_STEPS',
    fallback: '2',
    ...integer(sessionSteps.least, sessionSteps.most),
    unit: 'steps',
    description: 'Fewest random steps of a challenge; a session that is requested with fewer gets this many.',
  }),
  failures: define({
    name: 'WAJAH_SESSION_FAILURES',
    fallback: '5',
    ...integer(1, 100),
    unit: 'sessions an hour',
    description:
      'Sessions of a subject that may fail or expire in an hour, since the last passed one, before a pause.',
  }),
  pauseMinutes: define({
    name: 'WAJAH_SESSION_PAUSE_MINUTES',
    fallback: '10',
    ...integer(1, 60),
    unit: 'min',
    description: 'Minutes after which a subject may try again, from its last failure.',
  }),
  light: define({
    name: 'WAJAH_LIGHT_CHALLENGE',
    fallback: 'off',
    ...choice(['off', 'optional', 'required']),
    description:
      'Whether a session may show colours on the screen and check that the face reflects them: `optional` where create-session asks for it with `light: true`, `required` in every session. No real device has been measured yet.',
  }),
  open: define({
    name: 'WAJAH_SESSION_OPEN',
    fallback: '500',
    ...integer(20, 5000),
    unit: 'sessions',
    description:
      'Open sessions without a subject that a client may have at a time; those with a subject do not count. A session that takes half a minute allows 1,000 people a minute by default; opening one reads them all, about 1 ms for each hundred.',
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
      'Private networks that webhooks may be sent to, also over http: any client with the scope webhooks can have the server call every address and port there. All other addresses of private and special networks are refused.',
  }),
  timeoutMs: define({
    name: 'WAJAH_WEBHOOK_TIMEOUT_MS',
    fallback: '10000',
    ...integer(100, 60_000),
    unit: 'ms',
    description: 'Time in which a receiver must answer, in milliseconds.',
  }),
  attempts: define({
    name: 'WAJAH_WEBHOOK_ATTEMPTS',
    fallback: '10',
    ...integer(1, 30),
    unit: 'attempts',
    description:
      'Attempts until an event is given up. With the defaults the last one is about 2 days after the first.',
  }),
  retrySeconds: define({
    name: 'WAJAH_WEBHOOK_RETRY_SECONDS',
    fallback: '5',
    ...number(0.05, 3600),
    unit: 's',
    description:
      'Seconds until the first retry; each further one waits four times as long, at most 12 hours.',
  }),
  outbox: define({
    name: 'WAJAH_WEBHOOK_OUTBOX',
    fallback: '10000',
    ...integer(10, 1_000_000),
    unit: 'events',
    description: 'Events that may wait for one endpoint; further ones are dropped and counted.',
  }),
  days: define({
    name: 'WAJAH_WEBHOOK_DAYS',
    fallback: '7',
    ...integer(1, 365),
    unit: 'days',
    description: 'Days that delivered and given up events are kept, so that they can be sent again.',
  }),
});
