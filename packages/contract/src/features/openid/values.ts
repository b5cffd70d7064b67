/** Algorithms that ID tokens are signed with. */
export const idTokenAlgorithms = ['RS256', 'EdDSA'] as const;

/** Addresses of an app at most. */
export const mostRedirects = 10;
