import { translated } from '../../i18n/translated.ts';

export const unknown = translated('unknown', {
  view: 'Unknown people',
  title: 'Who was not recognised',
  hint: 'Faces that identification found and did not recognise, the last seen first. The same stranger has one entry.',
  hours: 'Hours to keep unknown people',
  hoursHint:
    'From the first sight on, 1 to 720. Empty: none are kept, and those that are kept are erased. Their faces are biometric data: tell the people before the camera.',
  save: 'Save',
  noFaces: 'This gallery keeps no faces, so that only times are shown.',
  none: 'Nobody unknown is kept',
  seen: 'Seen {count} times, last on {time}',
  since: 'First seen on {time}; erased on {until}',
  assign: 'Assign',
  assignOf: 'Assign who was last seen on {time}',
  assignTitle: 'Who is this?',
  assignText: 'A new ID is enrolled. To the person of a known ID this face is added.',
  userId: 'ID',
  userName: 'Name',
  force: 'Also if the face differs from the pictures of that person',
  forget: 'Forget',
  forgetOf: 'Forget who was last seen on {time}',
  forgetText: 'The face is erased. If this person is seen again, it is a new entry.',
});
