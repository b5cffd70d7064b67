import type { RefusalRow } from './sentence.ts';

/** Refusals of liveness sessions and of the tokens that they give. */
export const livenessRefusals = {
  sessionNotFound: {
    status: 'sessionNotFound',
    field: 'session_id',
    sentence: 'you have no session of this name; open one first',
  },
  sessionJudged: {
    status: 'sessionJudged',
    field: 'session_id',
    sentence: 'the session was judged already; open another one',
  },
  sessionExpired: {
    status: 'sessionExpired',
    field: 'session_id',
    sentence: 'it has expired; open another one',
  },
  sessionEnded: {
    status: 'sessionExpired',
    field: 'session_id',
    sentence:
      'it was ended: by a newer link for the same person, or by whoever sent it; use the newest link, or ask who sent it',
  },
  sessionWaits: {
    status: 'malformed',
    field: 'session_id',
    sentence: 'the session has not begun; call begin-session',
  },
  redirectUrl: {
    status: 'malformed',
    field: 'redirect_url',
    sentence:
      'found {found}; allowed is an https URL, or an http URL of localhost, without a user name, with hosted',
  },
  hintsTooOften: {
    status: 'tooManyRequests',
    sentence:
      'a session gets one hint at a time, and the next when the answer before says so; ask again in {seconds} s',
  },
  hintsUsedUp: {
    status: 'tooManyRequests',
    sentence: 'the hints of the session took {most} s of work, the maximum; take its frames without them',
  },
  sessionSecret: {
    status: 'denied',
    field: 'Accesstoken',
    sentence: 'the secret of a session is only for the calls of its page',
  },
  frontalNeedsImage: {
    status: 'malformed',
    sentence: 'frames[{index}].image: the session keeps a frontal frame; send those as pictures',
  },
  sessionFrameNeeds: {
    status: 'malformed',
    field: 'use_session_frame',
    sentence: 'it needs a liveness_token, and no image; send these',
  },
  noSessionFrame: {
    status: 'denied',
    field: 'use_session_frame',
    sentence: 'no frame of this session is kept; create the session with keep_frame, or send an image',
  },
  nonceMismatch: {
    status: 'malformed',
    field: 'nonce',
    sentence: 'it is not the one of this session; send that, or none',
  },
  tooManyFrames: {
    status: 'malformed',
    field: 'image',
    sentence: 'a session has {most} frames at most; submit those',
  },
  frameNotHeld: {
    status: 'malformed',
    sentence: 'frames[{index}].digest: no such frame is held; send its image',
  },
  sessionsFailed: {
    status: 'tooManyRequests',
    sentence:
      '{count} sessions of this subject failed or expired within an hour; open the next one at {at:time}, in {seconds} s',
  },
  sessionsOpenOfSubject: {
    status: 'tooManyRequests',
    sentence:
      'this subject has {count} open sessions for different users, the maximum; open the next one at {at:time}, in {seconds} s',
  },
  sessionsOpen: {
    status: 'tooManyRequests',
    sentence:
      'you have {count} open sessions without a subject, the maximum; name subjects; open the next one at {at:time}, in {seconds} s',
  },
  livenessTokenMissing: {
    status: 'livenessNotProven',
    field: 'liveness_token',
    sentence: 'the gallery requires one; pass a liveness session first',
  },
  livenessTokenInvalid: {
    status: 'livenessNotProven',
    field: 'liveness_token',
    sentence: 'it is not genuine or has expired; pass a liveness session again',
  },
  livenessTokenSpent: {
    status: 'livenessNotProven',
    field: 'liveness_token',
    sentence: 'it was spent already or has expired; pass a liveness session again',
  },
  livenessTokenOfOtherPack: {
    status: 'livenessNotProven',
    field: 'liveness_token',
    sentence: 'it was made with another model pack; pass a liveness session again',
  },
  livenessTokenOfOtherFace: {
    status: 'livenessNotProven',
    field: 'liveness_token',
    sentence:
      'the face of {field} does not match the one that passed (similarity {similarity:similarity}, threshold {threshold:similarity}); the token is spent now, pass a liveness session again',
  },
} as const satisfies Record<string, RefusalRow>;
