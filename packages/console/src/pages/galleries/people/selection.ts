import type { Person } from '../../../api/types.ts';

/** The people who are chosen, also on other pages: name by user_id. */
export type Selection = ReadonlyMap<string, string>;

/** A selection with or without some people. */
export function withPeople(selection: Selection, people: readonly Person[], chosen: boolean): Selection {
  const next = new Map(selection);
  for (const { user_id: userId, user_name: name } of people) {
    if (chosen) next.set(userId, name);
    else next.delete(userId);
  }
  return next;
}
