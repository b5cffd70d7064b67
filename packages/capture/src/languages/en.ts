import type { ErrorCode } from '../errors.ts';
import type { Hint } from '../session/check-step.ts';
import type { Step } from '../transport/protocol.ts';

/** Texts of the element. */
export const texts = {
  title: 'Liveness check',
  intro: 'Look into the camera and follow the steps. It takes about twenty seconds.',
  tips: [
    'Light on your face, not behind you',
    'Phone or screen at eye height',
    'No mask, no sunglasses, nobody else in the picture',
  ],
  privacy: 'Pictures are taken only during the check, and are sent to the server.',
  start: 'Start',
  cancel: 'Cancel',
  retry: 'Try again',
  again: 'Check again',
  /** After a verdict that is not passed. */
  triesLeft: 'Tries left: {tries}.',
  noTryLeft: 'No try is left. To try again, ask whoever sent you here.',
  camera: 'Camera',
  /** The error `browser`: what it names where no browser comes with the device, and ways elsewhere. */
  otherBrowser: 'Chrome, Edge, Firefox or Safari',
  openInBrowser: 'Open in the browser',
  copyLink: 'Copy the link',
  copied: 'The link is copied',
  address: 'Address of this page',
  openingCamera: 'Opening the camera…',
  allowCamera: 'If the browser asks, allow the camera.',
  preparing: 'Getting ready…',
  /** Before the first step: the time runs when a face is in place. */
  placeFace: 'Bring your face into the oval',
  sending: 'Checking your pictures…',
  progress: 'Step {step} of {total}',
  remaining: '{seconds} s left',
  holdStill: 'Hold still',
  /** Above the picture of a movement. */
  likeThis: 'Like this:',
  /** Announced once, when little time is left. */
  soonOver: '{seconds} seconds left',
  /** While the server judges, when it takes long. */
  stillChecking: 'This takes a little longer than usual.',
  passedTitle: 'Passed',
  passedText: 'Every step was detected.',
  failedTitle: 'Not passed',
  failedText: 'Reasons:',
  /** The reason `step`, with the steps that no frame shows. */
  missed: 'Not detected: {steps}. Do each step clearly and hold it for a moment.',
  errorTitle: 'Check not completed',
  /** The error `expired`, with the step that was not detected in time. */
  expiredAt: 'The time ran out at step {step} of {total}: {instruction}.',
  previewLabel: 'Your camera, mirrored',
  resultsLabel: 'The steps',
  seen: 'detected',
  notSeen: 'not detected',
  serverSays: 'Answer of the server: {detail} ({status})',
  /** With the attribute `diagnostics`. */
  diagnostics: 'For developers',
  /** Replaces the text of the step where no tone is played. */
  eyesClosedSilent: 'Close your eyes for two seconds',
  steps: {
    'face front': 'Look straight ahead',
    'face left': 'Turn your head to your left',
    'face right': 'Turn your head to your right',
    'face up': 'Raise your chin, look up',
    'face down': 'Lower your chin, look down',
    'eyes open': 'Keep your eyes open',
    'eyes closed': 'Close your eyes until you hear a tone',
    'mouth open': 'Open your mouth wide',
    'mouth closed': 'Close your mouth',
  } satisfies Record<Step, string>,
  stepNames: {
    'face front': 'Straight ahead',
    'face left': 'Left',
    'face right': 'Right',
    'face up': 'Up',
    'face down': 'Down',
    'eyes open': 'Eyes open',
    'eyes closed': 'Eyes closed',
    'mouth open': 'Mouth open',
    'mouth closed': 'Mouth closed',
  } satisfies Record<Step, string>,
  /** What the face does instead of the step, said after a while. */
  sees: {
    'face front': 'You are still looking straight ahead',
    'face left': 'Your head is turned to your left',
    'face right': 'Your head is turned to your right',
    'face up': 'Your chin is raised',
    'face down': 'Your chin is lowered',
    'eyes open': 'Your eyes are still open',
    'eyes closed': 'Your eyes are still closed',
    'mouth open': 'Your mouth is still open',
    'mouth closed': 'Your mouth is still closed',
  } satisfies Record<Step, string>,
  hints: {
    'too-dark': 'Too dark: turn towards a light',
    'too-bright': 'Too bright: turn away from the light',
    offline: 'No answer from the server: check your connection',
    busy: 'The server is busy: wait a moment',
    glare: 'A light is reflected at your eyes: turn a little, or take off glasses',
    'no-face': 'No face found: bring your face into the oval',
    'too-far': 'Too far: come closer',
    'too-close': 'Too near: move back a little',
    'off-centre': 'Move to the middle',
    'several-faces': 'Two faces: only you may be in the picture',
    masked: 'Take off the mask: uncover your mouth',
    covered: 'Take off your sunglasses',
    'other-way': 'The other way',
    further: 'A little further',
    straight: 'Straight at the camera, at eye height',
  } satisfies Record<Hint, string>,
  errors: {
    insecure:
      'This page was opened without https, so the browser gives it no camera. Ask who sent you for a link that begins with https.',
    browser:
      'There is no camera in this view: it is the one of an app, or an old browser. Open the page in {browser}: by the menu of the app, or copy the link and paste it there.',
    'camera-withheld':
      'The page that embeds this check must allow it the camera: tell whoever runs that page. If you were asked and refused, allow the camera in the settings of your browser, then try again.',
    'camera-denied':
      'The camera is not allowed. Try again, and allow it when the browser asks, or in the settings of browser and device.',
    'camera-none': 'No camera was found. Connect one, or copy the link and open it on a phone.',
    'camera-busy':
      'The camera could not be opened. Close what else uses it and try again, or copy the link and open it on a phone.',
    'camera-lost': 'The camera was disconnected or taken by another program. Check it, then try again.',
    hidden: 'The page was hidden. Try again and keep it in view.',
    network: 'The server could not be reached. Check your connection, then try again.',
    expired: 'The time ran out. Try again, and follow each step as soon as it is shown.',
    ended:
      'This check was ended: by a newer one for you, or by whoever sent you here. Use the newest link or page, or ask who sent you.',
    paused: 'There were too many tries. Wait {minutes} min, then try again.',
    refused: 'The server refused the request.',
    'not-configured': 'This page has no server address for the check.',
    cancelled: 'The check was cancelled.',
  } satisfies Record<ErrorCode, string>,
  /** By the name with which `submit-session` begins a reason; `unknown` for any other. */
  reasons: {
    order: 'The pictures do not follow the order of the steps. Do one step after the other, as shown.',
    time: 'The times of the pictures are not plausible. Check the clock of your device.',
    step: 'A step was not detected. Do each step clearly and hold it for a moment.',
    repeat: 'The same picture appeared in two steps. Move from step to step.',
    replay: 'A picture matches one that was sent before. Change your position or the light a little.',
    person: 'The face changed between steps, or was not clear enough. Keep one face in view, in good light.',
    flat: 'The face looked flat, like a picture. Turn your head further, in good light.',
    spoof:
      'The face looked like a print, a screen or a mask. Use even light, without a bright screen or window in view.',
    networks:
      'This server cannot check at the moment whether a real person is in front of the camera. Trying again does not help: tell whoever sent you here.',
    room: 'The face filled too much of the picture. Move back until it fits into the oval.',
    quality:
      'The pictures are too dark, blurred or noisy. Use more light, clean the lens, come closer and hold still at each step.',
    user: 'The face does not match the expected person. That person must do the steps, uncovered and in good light.',
    unknown: 'The check was not passed. It needs even light, and only your face in view.',
  },
};

/** What the page of a link says besides the element. */
export const link = {
  incomplete: 'This link is not complete. Open it again as you got it.',
  unknown: 'This link is not valid. Ask whoever sent it for another one.',
  expired: 'This link has expired, or its tries are used up. Ask whoever sent it for another one.',
  paused: 'There were too many tries. Ask whoever sent this link for another one, in {minutes} min.',
  ended:
    'This link was ended: by a newer link for the same person, or by whoever sent it. Open the newest link that you got, or ask whoever sent it.',
  passed: 'This check is done: passed.',
  failed: 'This check is done: not passed. To try again, ask whoever sent this link for another one.',
  unreachable: 'The server cannot be reached. Check your connection: then the page goes on by itself.',
  /** Of a link by which the person is enrolled: what is said before the check begins. */
  enrol: 'Enrol your face',
  enrols: 'With this link the face of {name} is enrolled: from then on it is recognised in “{gallery}”.',
  keepsNone:
    'A template is kept, which are numbers that describe the face. No picture is kept: those of the check are erased.',
  keepsCrop:
    'A template is kept, which are numbers that describe the face, and one picture of the face. The other pictures of the check are erased.',
  notMe: 'That is not me',
  notMeText:
    'Then do not begin. Ask whoever sent you this link for your own. Nothing was sent, and the link stays as it is.',
  back: 'Back',
  proceed: 'Continue',
  close: 'You can close this page.',
};

/** The texts of one language. `{…}` is replaced by a value. */
export type Texts = {
  readonly [Key in keyof typeof texts]: (typeof texts)[Key] extends string
    ? string
    : (typeof texts)[Key] extends readonly string[]
      ? readonly string[]
      : Readonly<Record<keyof (typeof texts)[Key], string>>;
};

/** Any part of the texts. */
export type TextOverrides = {
  readonly [Key in keyof Texts]?: Texts[Key] extends string | readonly string[]
    ? Texts[Key]
    : Partial<Texts[Key]>;
};

/** Any of the texts of the page of a link. */
export type LinkTexts = Readonly<Partial<Record<keyof typeof link, string>>>;
