import { integer } from './kinds.ts';
import { define } from './setting.ts';

/** Settings of liveness sessions. */
export const sessionSettings = {
  sessionSeconds: define({
    name: 'WAJAH_SESSION_SECONDS',
    group: 'Liveness sessions',
    fallback: '60',
    ...integer(10, 300),
    about: 'Seconds between create-session and the latest moment at which its frames may come.',
  }),
  frameHours: define({
    name: 'WAJAH_FRAME_HOURS',
    group: 'Liveness sessions',
    fallback: '24',
    ...integer(1, 8760),
    about: 'Hours that frames of sessions are remembered, so that none counts in another session.',
  }),
};
