import { aPicture } from '../values.ts';
import type { RefusalRow } from './sentence.ts';

const noBase64 = {
  sentence: "[[{field}: ]]{problem:phrase} is not base64; send the picture's bytes as base64",
} as const;

const noPicture = { sentence: `[[{field}: ]]it holds no picture; send a ${aPicture}` } as const;

/** Refusals of pictures and of the face that is looked for in them. */
export const pictureRefusals = {
  imageEmpty: { status: 'imageNull', ...noPicture },
  targetImageEmpty: { status: 'targetImageNull', ...noPicture },
  sourceImageEmpty: { status: 'sourceImageNull', ...noPicture },
  imageBase64: { status: 'imageBase64', ...noBase64 },
  targetImageBase64: { status: 'targetImageBase64', ...noBase64 },
  sourceImageBase64: { status: 'sourceImageBase64', ...noBase64 },
  imageType: { status: 'imageType', sentence: '[[{field}: ]]{reason}' },
  sourceImageType: { status: 'sourceImageType', sentence: '[[{field}: ]]{reason}' },
  pictureTooLarge: {
    status: 'imageBroken',
    sentence: '[[{field}: ]]the picture is {bytes} bytes, at most {most} are allowed; send a smaller one',
  },
  imageBroken: { status: 'imageBroken', sentence: '[[{field}: ]]{reason}' },
  faceNotDetected: {
    status: 'faceNotDetected',
    sentence:
      '[[{field}: ]]no face was found in the picture of {width}x{height} [[px|pixels]]; send one that shows the face whole, upright and well lit',
  },
  faceTooSmall: {
    status: 'faceTooSmall',
    sentence:
      '[[{field}: ]]{face:phrase} is {size} [[px|pixels]], the minimum is {minimum} [[px|pixels]] (shorter side of its box); come closer or send a larger picture{remedy:phrase?}',
  },
  qualityTooLow: {
    status: 'qualityTooLow',
    sentence: '[[{field}: ]]{face:phrase} fails {count} of the quality rules: {rules:rules}',
  },
  unclear: {
    status: 'qualityTooLow',
    sentence:
      '[[{field}: ]]{face:phrase} shows too little to tell people apart[[, so that nobody is matched by it]]: {rules:rules}{remedy:phrase?}',
  },
  severalFaces: {
    status: 'qualityTooLow',
    sentence:
      '[[{field}: ]]{found} faces were found, exactly one is allowed[[ (check_single_face)]]: {faces:list}{others:phrase?}; crop the picture, or take one of the person alone',
  },
  tooManyFaces: {
    status: 'qualityTooLow',
    sentence:
      '[[{field}: ]]{found} faces were found, at most {most} are allowed[[ (check_single_face)]]: {faces:list}{others:phrase?}; crop the picture, or take one of the person alone',
  },
  picturesDiffer: {
    status: 'notRecognized',
    field: 'images',
    sentence:
      'pictures {first} and {second} (counted from 0) show different people (similarity {similarity:similarity}, at least {limit:similarity} is needed); send pictures of one person',
  },
} as const satisfies Record<string, RefusalRow>;

/** A quality rule that failed; the engine's advice is `reason`. */
const failed = <const Rule extends string>(rule: Rule) =>
  `${rule} {value} (limit {limit} {unit}): {reason}` as const;

/** Parts of the sentences about pictures. */
export const picturePhrases = {
  theFace: 'the face',
  largestFace: 'the face (the largest of {found})',
  faceOfPerson: 'the face of the person',
  faceOnCard: 'the face on the card',
  orForceRegister: '[[, or send force_register: true]]',
  noBase64Header: 'the data: header does not end in ";base64," (position {position})',
  blankAt: 'a blank inside a line (U+0020; a "+" that a form encoding has lost?) at position {position}',
  characterAt: 'the character {character:quoted} ({code_point}) at position {position}',
  codePointAt: 'the character {code_point} at position {position}',
  paddingAt: 'padding "=" before the end at position {position}',
  cutOffAt: 'the text is cut off: one letter too many or three too few at position {position}',
  wrongPaddingAt: 'the wrong number of "=" at position {position}',
  faceAt: '{width}x{height} [[px|pixels]] at {x},{y}',
  failedSize: failed('size'),
  failedSharpness: failed('sharpness'),
  failedDark: failed('brightness'),
  failedBright: failed('brightness'),
  failedContrast: failed('contrast'),
  failedPose: failed('pose'),
  failedCropped: failed('cropped'),
  failedEyes: failed('eyes'),
  failedProportions: failed('proportions'),
  failedBlurred: failed('blurred'),
  failedUnlit: failed('dark'),
  andOthers: ' and others',
} as const satisfies Record<string, string>;
