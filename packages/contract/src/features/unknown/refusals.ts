export const unknownRefusals = {
  unknownNotFound: {
    status: 'userNotFound',
    field: 'unknown_id',
    sentence: 'nobody of this id is kept in the gallery; list those who are with list-unknown',
  },
  unknownCursor: {
    status: 'malformed',
    field: 'cursor',
    sentence:
      'it is no cursor of list-unknown; send that of the previous page, or none to begin with the first',
  },
} as const;
