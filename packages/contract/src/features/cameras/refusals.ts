export const cameraPhrases = {
  nameOfPeople: 'a name other than unknown, which strangers have',
} as const;
