import { translated } from '../../i18n/translated.ts';

export const duplicates = translated('duplicates', {
  view: 'Duplicates',
  title: 'People who look alike',
  hint: 'Compares all pairs of this gallery. A pair may be one person who is enrolled twice, or two people who look alike: compare them before you merge. Each step of about a second counts as one call.',
  noFaces: 'This gallery keeps no faces, so that names and IDs are all there is to compare here.',
  start: 'Compare all pairs',
  resume: 'Continue',
  progress: '{share} of the pairs, {done} of {people} people',
  none: 'No pair reaches the threshold',
  summary:
    'Similarity {threshold} or more. About {expected} pairs of different people are expected among all pairs.',
  statistics: 'Similarities are normalised by {people} people, version {version}.',
  pair: '{one} and {other}',
  merge: 'Merge',
  mergeOf: 'Merge {one} and {other}',
  mergeTitle: 'Merge into one person?',
  mergeKeep: 'Name and ID that stay',
  mergeText:
    'All pictures of both belong to this person then. {other} is gone, with its consent and retention; this cannot be undone.',
  merged: 'Merged. Pictures of {userId} now: {count}.',
  differentPeople: 'Different people',
  differentPeopleOf: 'Mark {one} and {other} as different people',
  markedDifferent: 'Marked as different people. The pair is not shown again.',
});
