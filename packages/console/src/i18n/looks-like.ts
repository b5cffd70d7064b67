import { translated } from './translated.ts';

/** A refused enrolment: the face looks like somebody else's, or the ID is taken. */
export const looksLike = translated('looksLike', {
  title: 'Looks like {name}: similarity {similarity}',
  taken: 'The ID {userId} is that of {name}: similarity {similarity}',
  takenSuspended: 'The ID {userId} is that of {name}',
  samePicture: 'the same picture',
  text: 'A similarity is no proof. Compare both pictures, then choose.',
  takenText: 'Compare both pictures. For another person, change the ID and enrol again.',
  suspendedText:
    '{name} is suspended: stored, and not matched. If this is the same person, do not enrol: the person would be matched again.',
  newPicture: 'New picture',
  noFace: 'No face of {name} is kept here.',
  same: 'Same person: add the picture to {name}',
  keepName: 'Keep the name {name}',
  takeName: 'Take the name {name}',
  different: 'Different people: enrol',
  addTo: 'Different people: add it to {name}',
  replaceOf: 'Different people: replace the pictures of {name}',
});
