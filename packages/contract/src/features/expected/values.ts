/** Expected people of a gallery, of a call that sets them, and of one that makes links. */
export const [mostExpected, mostAtOnce, mostLinks] = [10_000, 500, 50] as const;
