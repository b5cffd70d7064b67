/** Number of steps between the first and the last frontal one. */
export const sessionSteps = { least: 2, most: 5, byDefault: 3 } as const;
