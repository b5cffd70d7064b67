// Durations, milliseconds.
export const minuteMs = 60 * 1000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Beginning of the day, UTC. @param time and the answer: milliseconds since 1970 */
export const dayOf = (time: number) => Math.floor(time / dayMs) * dayMs;

/** The time since which records are kept; with 0 days none is, not even of today. */
export const keptSince = (days: number) => new Date(Date.now() + (days === 0 ? dayMs : -days * dayMs));
