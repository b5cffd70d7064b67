import { translated } from './translated.ts';

export const liveness = translated('liveness', {
  lead: 'Follow the steps before the camera. They are random, so that a recording passes less easily, though it may.',
  anybody: 'Anybody: liveness only',
  somebody: 'An enrolled person: liveness and verification',
  steps: 'Steps between the first and the last frontal step',
  privacy:
    'The frames are sent to this server and judged. Of a passed session one is kept, sealed, until its token is used or expires, and traces that find a replay; the others are discarded.',
  padMissing:
    'The model pack pad is not in use on this server: no network looks for printed pictures and screens, and no check passes unless the operator has accepted that (WAJAH_UNCLEAR_SPOOF=accept). The page System tells operators how to install it.',
  token: 'Liveness token',
  tokenText: 'Proves this session for one later call about the same face.',
  expires: 'Valid until {time}.',
  tokenGone: 'Its liveness token is used or has expired: nobody can be enrolled with it.',
  tokenExpired: 'The liveness token has expired at {time}. To enrol, do another session.',
  enrol: 'Enrol with this token',
  enrolText:
    'The best frame of the session is enrolled, or another picture of the person who passed. The token can be used once.',
  enrolled: '{name} is enrolled. The token is used.',
  result: 'Results of the steps',
  step: 'Step',
  verdict: 'Detected',
  detail: 'Measurements',
  embed: 'Embed the element in your own page, whose backend forwards the calls:',
  link: 'Send a link',
  linkHint:
    'Somebody does the session on their own phone, in at most three tries; the result appears here, while this tab is open.',
  makeLink: 'Make a link',
  linkName: 'Name of the link',
  linkNameHint:
    'No face is compared with it. A newer link for the same person, or for anybody under the same name, ends the earlier one.',
  anotherLink: 'Another link for {name}',
  triesLeft: 'Not passed yet. Tries left: {tries}.',
  valid: 'Valid for',
  anyone: 'Anybody',
  qr: 'QR code of the link {name}',
  linkInsecure:
    'This link begins with {origin}. Phones open the camera only over HTTPS, at an address that they reach: whoever runs the server can set one.',
  state_waiting: 'waiting',
  state_open: 'under way',
  state_failed: 'not passed',
  state_expired: 'expired',
  passedAs: 'passed: the face of {name}',
  passedUnknown: 'liveness passed, face compared with nobody',
  unseen:
    'Nobody here has seen this face: its frame stays sealed until it is enrolled. Enrol it only where you know who passed.',
  state_ended: 'ended by a newer link',
  state_erased: 'ended: the person was erased',
  state_suspended: 'ended: the person is suspended',
  state_gone: 'ended: the server has this check no longer',
});
