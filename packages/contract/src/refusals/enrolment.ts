import type { RefusalRow } from './sentence.ts';

/** Refusals of enrolling, and of reading what is enrolled. */
export const enrolmentRefusals = {
  cardBelowMinimum: {
    status: 'notRecognized',
    field: 'image',
    sentence:
      'the face and the one on the card have a similarity of {similarity:similarity}, the minimum is {minimum:similarity} (minimum_similarity); nothing was stored; {advice:phrase}',
  },
  cardIsPicture: {
    status: 'malformed',
    field: 'ktp_image',
    sentence:
      'it is the same picture as image, which says nothing of a card; nothing was stored; send the card',
  },
  cardFaceMissing: {
    status: 'faceNotDetected',
    sentence:
      '[[{field}: ]]found {found:phrase}; send a selfie that shows face and card sharp and large, or the card as ktp_image',
  },
  galleryWrittenTooFast: {
    status: 'busy',
    field: 'facegallery_id',
    sentence: 'others write to this gallery too fast for check_duplicate, append or a new name; try again',
  },
  appendedDiffers: {
    status: 'notRecognized',
    field: 'append',
    sentence:
      'the face and the pictures of this [[user_id|user ID]] have a similarity of {similarity:similarity} at best, the threshold is {threshold:similarity}; nothing was stored; check whose face the picture shows[[, and send force_register: true only if it is this person]]',
  },
  tooManyPictures: {
    status: 'userExists',
    field: 'append',
    sentence:
      'this [[user_id|user ID]] has {count} faces in the gallery, at most {most} are allowed; remove one of them with delete-face-picture, or send replace: true to replace all of them by this one',
  },
  faceEnrolled: {
    status: 'userExists',
    sentence:
      '[[{field}: ]]this face looks like that of [[user_id|user ID]] {duplicate_user_id:person} (similarity {similarity:similarity}, threshold {threshold:similarity}), which does not prove that both are one person[[; same person: send that user_id with its user_name and append: true to add the picture; different people: send check_duplicate: false to enrol this one too]]',
  },
  faceSuspended: {
    status: 'userExists',
    sentence:
      '[[{field}: ]]this face looks like that of [[user_id|user ID]] {duplicate_user_id:person}, who is suspended: stored, and not matched (similarity {similarity:similarity}, threshold {threshold:similarity}); this does not prove that both are one person[[; same person: do not enrol again, which would match the person in spite of it; resume-person ends a suspension; different people: send check_duplicate: false to enrol this one]]',
  },
  userEnrolled: {
    status: 'userExists',
    field: 'user_id',
    sentence:
      'this [[user_id|user ID]] has a face in the gallery already[[; same person: send if_exists: append to add this picture, or replace_same to replace what is enrolled, which another face does not; another person: send another user_id]]',
  },
  faceQuotaUsedUp: {
    status: 'denied',
    field: 'n_face',
    sentence: 'the number of faces that this client may enrol is used up; ask the operator for more',
  },
  appendAndReplace: {
    status: 'malformed',
    field: 'if_exists',
    sentence: 'if_exists, append and replace say different things; send one of them',
  },
  noCropKept: {
    status: 'denied',
    field: 'user_id',
    sentence:
      'no face crop is kept of this user; crops are kept of faces that are enrolled while the gallery keeps them (keep_crops), where the operator allows it (WAJAH_KEEP_FACE_CROPS)',
  },
  lastPicture: {
    status: 'denied',
    field: 'picture_id',
    sentence:
      'this is the only picture of the user; add another one first; delete-face erases the whole user',
  },
} as const satisfies Record<string, RefusalRow>;

export const enrolmentPhrases = {
  takeMaskOff: 'take the mask off',
  sendSharper: 'send sharper, well lit pictures of face and card',
  withoutOthers:
    '{found} faces were found, and the most similar ones of them taken; send a picture of the person and the card alone',
  onlyThePerson: 'only one face, which is taken for the person, and none on a card',
  noFaceOfPerson: 'no face of the person',
  noFaceOnCard: 'no face on the card',
  neitherFace: 'no face, neither of the person nor on the card',
} as const satisfies Record<string, string>;
