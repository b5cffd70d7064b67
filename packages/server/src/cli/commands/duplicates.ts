import { type Command, InvalidArgumentError } from 'commander';
import type { DuplicateSummary } from '../../admin/operations.ts';
import { OperatorError } from '../../errors.ts';
import { formatSimilarity } from '../../services/recognition/format-similarity.ts';
import type { CommandDeps } from '../command.ts';
import { type Progress, showProgress } from '../progress.ts';
import { type Columns, dayOf, printList, snakeCase, type Terminal } from '../terminal.ts';

interface Options {
  readonly expectedFalsePairs?: number;
  readonly cursor?: string;
  readonly json?: boolean;
}

/** Adds `gallery duplicates`. */
export function addDuplicates(gallery: Command, { admin, terminal }: CommandDeps): void {
  gallery
    .command('duplicates')
    .description(
      'find users of a gallery who may be the same person, by comparing all pairs; Ctrl-C stops and prints where to resume',
    )
    .argument('<client_id>')
    .argument('<facegallery_id>')
    .option(
      '--expected-false-pairs <number>',
      'expected pairs of different people among all pairs; the similarity threshold follows (default: 0.1)',
      parseAmount,
    )
    .option(
      '--cursor <text>',
      'resume where an earlier run stopped, or compare only faces written since it ended',
    )
    .option('--json', 'print JSON')
    .action(async (clientId: string, galleryId: string, options: Options) => {
      const expectedFalsePairs = options.expectedFalsePairs ?? null;
      await admin((operations) =>
        search(
          (cursor) => operations.findDuplicates({ clientId, galleryId, cursor, expectedFalsePairs }),
          options,
          terminal,
        ),
      );
    });
}

function parseAmount(given: string): number {
  const value = Number(given);
  if (given.trim() !== '' && value >= 1e-6 && value <= 1e6) return value;
  throw new InvalidArgumentError('Allowed: a number from 0.000001 to 1000000.');
}

type FindPage = (cursor: string | null) => Promise<DuplicateSummary>;

/** What was found until then is printed also when the search is interrupted or fails. */
async function search(find: FindPage, { cursor, json }: Options, terminal: Terminal): Promise<void> {
  const found: DuplicateSummary['pairs'] = [];
  const progress = showProgress('Comparing', terminal, 'pairs');
  let last: DuplicateSummary | undefined;
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
  };
  process.once('SIGINT', interrupt);
  try {
    for (let at = cursor ?? null; !last?.complete && !interrupted; at = last.cursor) {
      last = await find(at);
      found.push(...last.pairs);
      report(progress, last);
    }
  } finally {
    process.off('SIGINT', interrupt);
    progress.end();
    if (last) print(terminal, found, last, json);
  }
  if (!last?.complete) throw new OperatorError('The search was interrupted.');
}

function report(progress: Progress, { people, progress: share }: DuplicateSummary): void {
  const pairs = (people * (people - 1)) / 2;
  if (pairs > 0) progress.update(Math.round(share * pairs), pairs);
}

type Pair = DuplicateSummary['pairs'][number];

const columns: Columns<Pair> = {
  similarity: ({ similarity }) => formatSimilarity(similarity),
  'false match rate': ({ falseMatchRate }) => shortNumber(falseMatchRate),
  user_id: ({ users }) => users[0]!.userId,
  user_name: ({ users }) => users[0]!.userName,
  enrolled: ({ users }) => dayOf(users[0]!.createdAt),
  'other user_id': ({ users }) => users[1]!.userId,
  'other user_name': ({ users }) => users[1]!.userName,
  'other enrolled': ({ users }) => dayOf(users[1]!.createdAt),
};

function print(terminal: Terminal, found: Pair[], last: DuplicateSummary, json: boolean | undefined): void {
  found.sort((a, b) => b.similarity - a.similarity || b.score - a.score);
  const { threshold, people, complete, progress, facts, cursor } = last;
  if (!complete) terminal.note(`Stopped at ${Math.floor(100 * progress)} %. Resume with --cursor ${cursor}`);
  if (json) {
    const rates = { false_match_rate: last.falseMatchRate, expected_false_pairs: last.expectedFalsePairs };
    const scope = { people, people_compared: last.compared, complete, progress, cursor };
    terminal.out(JSON.stringify({ ...scope, threshold, ...rates, ...facts, pairs: found.map(snakeCase) }));
    return;
  }
  printList(terminal, found, { json, columns, empty: 'No pair reaches the threshold.' });
  const statistics =
    facts.cohort_people === 0
      ? 'not normalised by the gallery'
      : `normalised by ${facts.cohort_people} people, version ${facts.cohort_version}`;
  terminal.note(
    `${found.length === 1 ? '1 pair' : `${found.length} pairs`} of ${people} people at ${formatSimilarity(threshold)} or more, ${statistics}; about ${shortNumber(last.expectedFalsePairs)} pairs of different people are expected among all pairs.`,
  );
  if (complete) terminal.note(`Compare only faces written from now on: --cursor ${cursor}`);
}

const shortNumber = (value: number) => String(Number(value.toPrecision(2)));
