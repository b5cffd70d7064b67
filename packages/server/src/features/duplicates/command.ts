import { endpoints } from '@wajah/contract';
import type { z } from 'zod';
import { OperatorError } from '../../errors.ts';
import { argument, type CommandDeps, command, json, numberIn, option } from '../../operations/command.ts';
import { type Columns, dayOf, printList, showProgress, type Terminal } from '../../operations/terminal.ts';
import { formatSimilarity } from '../../services/galleries/format-similarity.ts';

export type DuplicatePage = z.output<typeof endpoints.findDuplicates.answer>;
type Pair = DuplicatePage['pairs'][number];

/** People who may be enrolled twice, page by page. */
export const duplicatesCommand = command({
  name: 'gallery duplicates',
  line: 'find users who may be the same person',
  about:
    'find users of a gallery who may be the same person, by comparing all pairs; Ctrl-C stops and prints where to resume',
  arguments: { clientId: argument('<client_id>'), galleryId: argument('<facegallery_id>') },
  options: {
    expectedFalsePairs: option(
      '--expected-false-pairs <number>',
      'expected pairs of different people among all pairs; the similarity threshold follows (default: 0.1)',
      numberIn(1e-6, 1e6, '0.000001 to 1000000'),
    ),
    cursor: option(
      '--cursor <text>',
      'resume where an earlier run stopped, or compare only faces written since it ended',
    ),
    json,
  },
  action: ({ callAsOperator, terminal }, { clientId, galleryId, expectedFalsePairs, cursor, json }) =>
    callAsOperator((call) => {
      const fields = { facegallery_id: galleryId, expected_false_pairs: expectedFalsePairs };
      const find = async (at: string | undefined) =>
        (await call(endpoints.findDuplicates, { ...fields, cursor: at }, clientId)) as DuplicatePage;
      return search(find, cursor, json, terminal);
    }),
});

/** What was found until then is printed also when the search is interrupted or fails. */
async function search(
  find: (cursor: string | undefined) => Promise<DuplicatePage>,
  cursor: string | undefined,
  json: boolean,
  terminal: CommandDeps['terminal'],
): Promise<void> {
  const found: Pair[] = [];
  const progress = showProgress('Comparing', terminal, 'pairs');
  let last: DuplicatePage | undefined;
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
  };
  process.once('SIGINT', interrupt);
  try {
    for (let at = cursor; !last?.complete && !interrupted; at = last.cursor) {
      last = await find(at);
      found.push(...last.pairs);
      const pairs = (last.people * (last.people - 1)) / 2;
      if (pairs > 0) progress.update(Math.round(last.progress * pairs), pairs);
    }
  } finally {
    process.off('SIGINT', interrupt);
    progress.end();
    if (last) printPairs(terminal, found, last, json);
  }
  if (!last?.complete) throw new OperatorError('The search was interrupted.');
}

const nameOf = ({ user_name, suspended_at }: Pair['users'][number]) =>
  suspended_at === null ? user_name : `${user_name} (suspended)`;

const pairColumns: Columns<Pair> = {
  similarity: ({ similarity }) => formatSimilarity(similarity),
  'false match rate': ({ false_match_rate }) => shortNumber(false_match_rate),
  user_id: ({ users }) => users[0]!.user_id,
  user_name: ({ users }) => nameOf(users[0]!),
  enrolled: ({ users }) => dayOf(users[0]!.created_at),
  'other user_id': ({ users }) => users[1]!.user_id,
  'other user_name': ({ users }) => nameOf(users[1]!),
  'other enrolled': ({ users }) => dayOf(users[1]!.created_at),
};

function printPairs(terminal: Terminal, found: Pair[], last: DuplicatePage, json: boolean): void {
  found.sort((a, b) => b.similarity - a.similarity || b.score - a.score);
  const { threshold, people, complete, progress, cursor } = last;
  if (!complete) terminal.note(`Stopped at ${Math.floor(100 * progress)} %. Resume with --cursor ${cursor}`);
  if (json) {
    const { status: _, status_message: __, ...answer } = last;
    terminal.out(JSON.stringify({ ...answer, pairs: found }));
    return;
  }
  printList(terminal, found, { json, columns: pairColumns, empty: 'No pair reaches the threshold.' });
  const statistics =
    last.cohort_people === 0
      ? 'not normalised by the gallery'
      : `normalised by ${last.cohort_people} people, version ${last.cohort_version}`;
  terminal.note(
    `${found.length === 1 ? '1 pair' : `${found.length} pairs`} of ${people} people at ${formatSimilarity(threshold)} or more, ${statistics}; about ${shortNumber(last.expected_false_pairs)} pairs of different people are expected among all pairs.`,
  );
  if (complete) terminal.note(`Compare only faces written from now on: --cursor ${cursor}`);
}

const shortNumber = (value: number) => String(Number(value.toPrecision(2)));
