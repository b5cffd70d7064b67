import { sessionSteps } from '@wajah/contract';
import { choice, integer, mebibytes, toggle } from './kinds.ts';
import { define, group } from './setting.ts';

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
      'Whether a session may show colours on the screen and check that the face reflects them: `optional` where create-session asks for it with `light: true`, `required` in every session. No real device has been measured yet; see light-challenge.md.',
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
