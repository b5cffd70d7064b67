export const expectedRefusals = {
  expectedTwice: {
    status: 'malformed',
    field: 'people',
    sentence: 'entries {first} and {second} have the same user_id; send each person once',
  },
  expectedTooMany: {
    status: 'malformed',
    field: 'people',
    sentence: 'the list would have {count} people; it may have {most}',
  },
  expectedNotFound: {
    status: 'userNotFound',
    field: 'user_ids',
    sentence:
      'entry {index} is not on the list of expected people of the gallery; list those who are with list-expected',
  },
} as const;
