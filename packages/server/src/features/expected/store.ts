import { linkTries } from '@wajah/contract';
import { allRows, type Database, type Session } from '../../store/database/session.ts';
import { endLinked, endSessions, isEnded } from '../../store/ended-sessions.ts';
import type { Consent } from '../../store/ports/people.ts';
import type { WaitingSession } from '../../store/ports/sessions.ts';
import { orNull, rowMapper } from '../../store/rows.ts';
import type { EnrolmentLink, ExpectedPerson, ExpectedStore, JudgedLink, ListedPerson } from './ports.ts';

const consents = rowMapper<Consent>(
  'expected_links',
  { reference: 'text', purpose: 'text', givenAt: 'time', until: 'time' },
  {
    reference: 'consent_reference',
    purpose: 'consent_purpose',
    givenAt: 'consent_given_at',
    until: 'consent_until',
  },
);
const consentOf = orNull(consents, 'consent_reference');

interface Link extends Omit<EnrolmentLink, 'consent'> {
  readonly failed: string | null;
}

const links = rowMapper<Link>('expected_links', {
  userId: 'text',
  sessionId: 'text',
  expiresAt: 'time',
  failed: 'text',
});
const judged = rowMapper<JudgedLink>('expected_links', {
  userId: 'text',
  sessionId: 'text',
  expiresAt: 'time',
  consent: consentOf,
  gallery: 'int',
  clientId: 'text',
  galleryId: 'text',
  userName: 'text',
});
const triesOf = orNull(
  rowMapper<{ waits: WaitingSession; passed: boolean | null }>('liveness_sessions', {
    waits: 'json',
    passed: 'flag',
  }),
  'waits',
);

/** Those that have begun, without one that is not judged. */
function failedTries(link: ReturnType<typeof triesOf>): number {
  const { tries = linkTries, until } = link?.waits ?? {};
  const isAwaited = until !== undefined && link?.passed !== false;
  return linkTries - tries - (isAwaited ? 1 : 0);
}

const linkOf = orNull(
  rowMapper<NonNullable<ListedPerson['link']>>('expected_links', {
    expiresAt: 'time',
    failed: 'text',
    failedTries: (row) => failedTries(triesOf(row)),
  }),
  'expires_at',
);
const listed = rowMapper<ListedPerson>('expected_people', {
  userId: 'text',
  userName: 'text',
  enrolled: 'flag',
  link: linkOf,
});
const onLists = rowMapper<{ galleryId: string; userName: string; linkExpiresAt: Date | null }>(
  'expected_people',
  { galleryId: 'text', userName: 'text', linkExpiresAt: 'time' },
);

const hasFace = 'EXISTS (SELECT 1 FROM faces f WHERE f.gallery = p.gallery AND f.user_id = p.user_id)';
/** How many have none. */
const missing = `count(CASE WHEN ${hasFace} THEN NULL ELSE 1 END)`;
const withLinks = `FROM expected_people p LEFT JOIN expected_links l ON l.gallery = p.gallery AND l.user_id = p.user_id
  LEFT JOIN liveness_sessions s ON s.id = l.session_id`;
/** A newer link of the person in another gallery ends it earlier. */
const linkEnd = 'CASE WHEN s.expires_at < l.expires_at THEN s.expires_at ELSE l.expires_at END AS expires_at';
const selectListed = `SELECT p.user_id, p.user_name, ${hasFace} AS enrolled, ${linkEnd}, l.failed, s.waits, s.passed
  ${withLinks}`;

export function createExpectedStore(db: Database): ExpectedStore {
  return { ...createLists(db), ...createLinks(db), ...createErasures(db) };
}

function createLists(db: Database) {
  return {
    set: (gallery, people, add, most) => set(db, gallery, people, add, most),
    async counts(gallery) {
      const sql = `SELECT count(*) AS expected, ${missing} AS missing FROM expected_people p WHERE p.gallery = $1`;
      const found = await db.get<{ expected: number; missing: number }>(sql, gallery);
      return { expected: Number(found?.expected), missing: Number(found?.missing) };
    },
    page: (gallery, { after, limit, missing }) => {
      const only = missing ? `AND NOT ${hasFace}` : '';
      const sql = `${selectListed} WHERE p.gallery = $1 AND p.user_id > $2 ${only} ORDER BY p.user_id LIMIT $3`;
      return listed.all(db, sql, gallery, after, limit);
    },
    find: (gallery, userIds) => {
      const places = userIds.map((_, at) => `$${at + 2}`);
      const sql = `${selectListed} WHERE p.gallery = $1 AND p.user_id IN (${places}) ORDER BY p.user_id`;
      return listed.all(db, sql, gallery, ...userIds);
    },
    listsOf: ({ clientId, userId }) => {
      const sql = `SELECT g.gallery_id, p.user_name, l.expires_at AS link_expires_at ${withLinks}
        JOIN galleries g ON g.id = p.gallery WHERE g.client_id = $1 AND p.user_id = $2 ORDER BY g.gallery_id`;
      return onLists.all(db, sql, clientId, userId);
    },
  } satisfies Partial<ExpectedStore>;
}

function createLinks(db: Database) {
  return {
    // Not while the person is enrolled: either the face is seen here, or the link there.
    putLink: (gallery, link) =>
      db.transaction((session) => putLink(session, gallery, link), { gallery, lock: lockOf(gallery) }),
    linkOf: (sessionId) => {
      const sql = `SELECT l.*, p.user_name, g.client_id, g.gallery_id FROM expected_links l
        JOIN expected_people p ON p.gallery = l.gallery AND p.user_id = l.user_id
        JOIN galleries g ON g.id = l.gallery WHERE l.session_id = $1 AND g.client_id IS NOT NULL`;
      return judged.get(db, sql, sessionId);
    },
    async passed() {
      const sql = `SELECT l.session_id FROM expected_links l JOIN liveness_sessions s ON s.id = l.session_id
        WHERE s.passed = 1 AND l.failed IS NULL`;
      return (await db.all<{ session_id: string }>(sql)).map(({ session_id }) => session_id);
    },
    settle: ({ gallery, ...link }, failed) =>
      db.transaction(
        async (session) => {
          const sql = 'DELETE FROM expected_links WHERE gallery = $1 AND session_id = $2';
          const isThere = (await session.run(sql, gallery, link.sessionId)) === 1;
          if (isThere && failed !== null) await insertLink(session, gallery, { ...link, failed });
        },
        { lock: lockOf(gallery) },
      ),
  } satisfies Partial<ExpectedStore>;
}

const complete = `gallery IN (SELECT p.gallery FROM expected_people p GROUP BY p.gallery HAVING ${missing} = 0)`;

function createErasures(db: Database) {
  return {
    forget: (gallery) => erase(db, 'gallery = $1', gallery),
    erase: ({ clientId, userId }) => {
      const ofClient = 'gallery IN (SELECT id FROM galleries WHERE client_id = $1)';
      return erase(db, `${ofClient} AND user_id = $2`, clientId, userId);
    },
    prune: async () => void (await erase(db, complete)),
  } satisfies Partial<ExpectedStore>;
}

/** Erases links, whose pages begin no more. */
async function eraseLinks(session: Session, where: string, ...values: (string | number)[]): Promise<void> {
  await endLinked(session, where, ...values);
  await session.run(`DELETE FROM expected_links WHERE ${where}`, ...values);
}

/** @returns how many people it has erased */
async function erase(db: Database, where: string, ...values: (string | number)[]): Promise<number> {
  const erased = await db.transaction(
    async (session) => {
      await eraseLinks(session, where, ...values);
      return session.run(`DELETE FROM expected_people WHERE ${where}`, ...values);
    },
    { erases: true },
  );
  if (erased > 0) db.purge();
  return erased;
}

/** Of a list that would be too long; it undoes the transaction. */
class TooMany extends Error {
  readonly people: number;

  constructor(people: number) {
    super('too many expected people');
    this.people = people;
  }
}

const columns = { gallery: 'bigint', user_id: 'text', user_name: 'text' } as const;
const insertPeople = `INSERT INTO expected_people (${Object.keys(columns)}) ${allRows(columns)}`;
/** Whose rows are written anew. */
const eraseNamed = `DELETE FROM expected_people WHERE gallery IN (SELECT n.gallery FROM :rows)
  AND user_id IN (SELECT n.user_id FROM :rows)`;
const ofNobody = `gallery = $1 AND NOT EXISTS (SELECT 1 FROM expected_people p
  WHERE p.gallery = expected_links.gallery AND p.user_id = expected_links.user_id)`;

async function set(
  db: Database,
  gallery: number,
  people: readonly ExpectedPerson[],
  add: boolean,
  most: number,
): Promise<number | null> {
  const rows = people.map(({ userId, userName }) => [gallery, userId, userName]);
  const write = async (session: Session) => {
    if (!(await isThere(session, gallery))) return;
    if (add) await session.runAll(eraseNamed, columns, rows);
    else await session.run('DELETE FROM expected_people WHERE gallery = $1', gallery);
    const sql = 'SELECT count(*) AS count FROM expected_people WHERE gallery = $1';
    const others = Number((await session.get<{ count: number }>(sql, gallery))?.count);
    if (others + rows.length > most) throw new TooMany(others + rows.length);
    await session.runAll(insertPeople, columns, rows);
    await eraseLinks(session, ofNobody, gallery);
  };
  try {
    await db.transaction(write, { lock: lockOf(gallery) });
  } catch (error) {
    if (error instanceof TooMany) return error.people;
    throw error;
  }
  db.purge();
  return null;
}

/** Of lists and links: a statement does not see the row that another one writes anew meanwhile. */
const lockOf = (gallery: number) => `expected people ${gallery}`;

/** The gallery is not erased until the transaction ends. */
async function isThere(session: Session, gallery: number): Promise<boolean> {
  const sql = `SELECT id FROM galleries WHERE id = $1 AND client_id IS NOT NULL ${session.dialect.forKeyShare}`;
  return (await session.get(sql, gallery)) !== undefined;
}

const linkColumns = [...Object.keys(links.columns), ...Object.keys(consents.columns)];
/** Of a person who is on the list. */
const insertLinkOf = `INSERT INTO expected_links (gallery, ${linkColumns})
  SELECT $1, ${linkColumns.map((_, at) => `$${at + 2}`)} WHERE EXISTS
    (SELECT 1 FROM expected_people WHERE gallery = $1 AND user_id = $2)`;

/** See `ExpectedStore.putLink`. */
async function putLink(session: Session, gallery: number, link: EnrolmentLink): Promise<boolean> {
  const isMissing = `SELECT 1 FROM expected_people p WHERE p.gallery = $1 AND p.user_id = $2 AND NOT ${hasFace}`;
  if (!(await isThere(session, gallery)) || !(await session.get(isMissing, gallery, link.userId))) {
    await endSessions(session, new Date(), 'id = $1', link.sessionId);
    return false;
  }
  if (await isEnded(session, link.sessionId)) return true;
  const sql = 'DELETE FROM expected_links WHERE gallery = $1 AND user_id = $2';
  await session.run(sql, gallery, link.userId);
  await insertLink(session, gallery, { ...link, failed: null });
  return true;
}

async function insertLink(
  session: Session,
  gallery: number,
  { consent, ...link }: EnrolmentLink & { readonly failed: string | null },
): Promise<void> {
  const given = consent ? consents.values(consent) : [null, null, null, null];
  await session.run(insertLinkOf, gallery, ...links.values(link), ...given);
}
