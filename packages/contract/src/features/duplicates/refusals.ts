export const duplicateRefusals = {
  markedUserNotFound: {
    status: 'userNotFound',
    sentence: '[[{field}: ]]nobody of this [[user_id|user ID]] is enrolled in the gallery',
  },
  pairsCursor: {
    status: 'malformed',
    field: 'cursor',
    sentence: '{problem:phrase}; send that of the previous page, or none to begin with the first',
  },
} as const;

export const duplicatePhrases = {
  noPairsCursor: 'it is no cursor of find-duplicates',
  cursorOfAnotherGallery: 'it is of another gallery',
  duplicateSearch: 'the search for duplicates',
} as const;
