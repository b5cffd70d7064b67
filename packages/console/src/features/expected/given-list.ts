import type { PeopleList } from '../../draw/people-list.ts';
import type { Named } from '../../draw/user-id.ts';
import { keptSignal } from '../../state/session.ts';
import { readExpected } from './read-list.ts';

/** Lists that were given to a gallery and are not sent yet, by its name. */
export const givenLists = keptSignal<Readonly<Record<string, PeopleList>>>({}, undefined, true);

/** Takes several files as one list. @returns false: one is no list of names and IDs */
export async function takeList(gallery: string, files: readonly File[]): Promise<boolean> {
  const [{ textOf }, { peopleListIn }] = await Promise.all([
    import('../../draw/people-csv.ts'),
    import('../../draw/people-list.ts'),
  ]);
  const contents = await Promise.all(files.map((file) => file.arrayBuffer()));
  const list = peopleListIn(...contents.map(textOf));
  if (!list || list.people.length === 0) return false;
  givenLists.value = { ...givenLists.value, [gallery]: list };
  return true;
}

/** Who of the list of a gallery has no face. */
export async function readMissing(gallery: string, signal: AbortSignal): Promise<readonly Named[]> {
  const { people } = await readExpected(gallery, true, signal);
  return people.map(({ user_id: userId, user_name: userName }) => ({ userId, userName }));
}
