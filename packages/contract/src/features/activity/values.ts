/** Refused calls in an answer of `list-refusals`. */
export const refusalPage = { most: 200, byDefault: 50 } as const;
