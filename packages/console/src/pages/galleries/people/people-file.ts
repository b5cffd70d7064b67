import type { Person } from '../../../api/types.ts';
import { wajah } from '../../../api/wajah.ts';

/** People read by one call: the server's limit. */
const pageSize = 10_000;

/**
 * The people of a gallery as a table.
 * @param search only people whose name or ID contains it; '' for all
 */
export async function peopleTable(gallery: string, search: string, signal: AbortSignal) {
  const people: Person[] = [];
  let cursor: string | undefined;
  do {
    const page = await wajah.listFaces(
      {
        ...{ facegallery_id: gallery, limit: pageSize, details: true },
        ...(search === '' ? {} : { search }),
        ...(cursor === undefined ? {} : { cursor }),
      },
      { signal },
    );
    people.push(...page.faces);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return {
    heading: ['user_id', 'user_name', 'created_at', 'updated_at'],
    rows: people.map((one) => [one.user_id, one.user_name, one.created_at, one.updated_at]),
  };
}
