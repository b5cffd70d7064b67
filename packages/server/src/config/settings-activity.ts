import { choice, integer } from './kinds.ts';
import { define } from './setting.ts';

/** Settings of what is counted, shown and imitated. */
export const activitySettings = {
  eventDays: define({
    name: 'WAJAH_EVENT_DAYS',
    group: 'Server',
    fallback: '30',
    ...integer(0, 3650),
    about:
      'Days that the activity of clients is kept: calls counted by endpoint, status, latency and scores, and the latest 1,000 refused calls of each client with user_id and trx_id; never anything biometric. 0 keeps none.',
  }),
  metrics: define({
    name: 'WAJAH_METRICS',
    group: 'Server',
    fallback: 'off',
    ...choice(['off', 'open', 'operator']),
    about:
      'Whether `/metrics` answers in the format of Prometheus: to nobody, to everybody, or to whom sends the token of an operator.',
  }),
  compat: define({
    name: 'WAJAH_COMPAT',
    group: 'Server',
    fallback: 'off',
    ...choice(['off', 'risetai']),
    about:
      'Answers as a public cloud does, for programs that were written for it: bodies wrapped in `risetai`, the same routes below `/risetai`, and the rest of docs/compatibility.md.',
  }),
};
