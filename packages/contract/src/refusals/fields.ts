import { aPicture } from '../values.ts';
import type { RefusalRow } from './sentence.ts';

const problems = { sentence: '{problems:sentences}', namesFields: true } as const;

/** Refusals of the fields of a request, by its schema. */
export const fieldRefusals = {
  fieldsMalformed: { status: 'malformed', ...problems },
  imageNull: { status: 'imageNull', ...problems },
  userIdNull: { status: 'userIdNull', ...problems },
  userNameNull: { status: 'userNameNull', ...problems },
  galleryIdNull: { status: 'galleryIdNull', ...problems },
  targetImageNull: { status: 'targetImageNull', ...problems },
  sourceImageNull: { status: 'sourceImageNull', ...problems },
} as const satisfies Record<string, RefusalRow>;

/** What was found in a field, and what is allowed. */
export const fieldPhrases = {
  bodyNoObject: 'the body: found {found:phrase}; allowed is a JSON object',
  fieldProblem: '{field}: {problem:phrase}',
  foundAllowed: 'found {found:phrase}; allowed is {allowed:phrase}',
  nothing: 'nothing',
  aListOf: 'a list of {count}',
  onePicture: 'one picture',
  anObject: 'an object',
  aValue: 'the {type} {value}',
  theText: 'the text {value:quoted}',
  aTextOf: 'a text of {length} characters',
  aSecret: 'a {type}',
  tooLong: 'found {length} characters, at most {most} are allowed',
  unprintable: 'found {character} at character {place}, only printable characters are allowed',
  text: 'a text',
  textFromTo: 'a text of {least} to {most} characters',
  textUpTo: 'a text of at most {most} characters',
  pictureText: `a ${aPicture}, as base64 or as a file of a form`,
  listOfPictures: 'a list of {least} to {most} pictures',
  imageOrImages: 'it is sent beside {other}; send one of them',
  trueOrFalse: 'true or false',
  number: 'a number from {least} to {most}',
  numberOrNull: 'a number from {least} to {most}, or null',
  rate: 'a rate from 1e-6 to 1, such as "1e-4"',
  wholeNumber: 'a whole number from {least} to {most}',
  wholeNumberOrNull: 'a whole number from {least} to {most}, or null',
  oneOf: 'one of {words:list}',
  listOfWords: 'a list of {words:list}',
  listOfNames: 'a list of 1 to {most} texts of 1 to 120 printable characters',
  aTime: 'a time such as 2026-01-31T12:00:00.000Z',
  objectWithTwo: 'an object with {one} and {other}',
  parameterNeeded: 'an object with at least one of angle, spoof_detection, eyes, mouth',
  noneOfThem: 'found none of them; needed is {needed:phrase}',
  objectsUpTo: 'a list of 1 to {most} objects',
  neededWith: 'found nothing; it is needed because {other} is given',
  batchSuccesses: 'found {found}; allowed is a whole number from 1 to {pictures}, the pictures in the batch',
  noTermsChanged: 'found nothing, nor retention_days; send what is to be changed',
  noSettingChanged:
    'found nothing, nor require_liveness, require_consent, retention_days or keep_crops; send what is to be changed',
  word: '{word}',
} as const satisfies Record<string, string>;
