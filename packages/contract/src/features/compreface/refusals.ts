/** Refusals of the interface of CompreFace, worded as its clients know them. */
export const comprefaceRefusals = {
  apiKeyMissing: {
    status: 'unauthorized',
    sentence: 'Missing header: x-api-key',
  },
  apiKeyUnknown: {
    status: 'unauthorized',
    sentence: '{service} service with API Key {start}… not found',
  },
  keyScopeMissing: {
    status: 'denied',
    sentence: 'x-api-key: the scope {needed} is needed here, the key has {held}',
  },
  parameterMissing: {
    status: 'userIdNull',
    sentence: 'Required parameter {field} is missing',
  },
  subjectNameEmpty: {
    status: 'userIdNull',
    sentence: 'Subject name is empty; ',
  },
  partMissing: {
    status: 'imageNull',
    sentence: 'Required part {field} is missing',
  },
  fieldEmpty: {
    status: 'imageNull',
    sentence: 'Field {field} cannot be empty',
  },
  bodyNotTaken: {
    status: 'malformed',
    sentence: 'the body: allowed is a JSON object, or a form where pictures are sent',
  },
  noSuchPath: {
    status: 'routeNotFound',
    sentence: 'no endpoint has this path and method; docs/compatibility.md lists them',
  },
  embeddingsRefused: {
    status: 'malformed',
    field: 'embeddings',
    sentence: 'this server neither gives nor takes embeddings; send the picture to recognize or verify',
  },
  subjectExists: {
    status: 'userExists',
    field: 'subject',
    sentence: 'there is one of this name already',
  },
  tooManySubjects: {
    status: 'denied',
    field: 'subject',
    sentence: '{count} subjects have no picture, at most {most} are allowed; add pictures to them',
  },
  tooManyOfSubject: {
    status: 'userExists',
    field: 'subject',
    sentence:
      '{subject:json} would have {count} pictures, at most {most} are allowed; delete single pictures first',
  },
  pictureNotFound: {
    status: 'userNotFound',
    field: 'picture_id',
    sentence: 'there is no picture {picture} in the gallery',
  },
  noFaceOfScore: {
    status: 'faceNotDetected',
    sentence:
      '{field}: no face has a score of {score} or more; lower the threshold, or send a clearer picture',
  },
} as const;

export const comprefacePhrases = {
  subjectNameNeeded: 'the name of a subject, 1 to 120 characters',
  emptySubjectName: 'Subject name cannot be empty',
  nameOfNoPath: 'a name other than . and .., which no path can have',
  aUuid: 'a UUID',
  imageIds: 'a list of image ids',
  imageIdsUpTo: 'a list of at most 1,000',
  pluginSlugs: 'slugs of plugins, separated by commas',
  comprefaceOrWajah: 'compreface or wajah',
  pictureFile: 'a picture as a file of a form, or as base64',
} as const;
