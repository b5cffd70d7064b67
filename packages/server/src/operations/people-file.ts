import type { OwnEndpoint } from '@wajah/contract';
import { escapeUnprintable } from '@wajah/contract';
import { CallRefused, OperatorError } from '../errors.ts';
import { type CommandDeps, confirmed, option } from './command.ts';
import { fill, withoutStatus } from './endpoint-output.ts';
import type { Answer, CallEndpoint } from './operator-calls.ts';

/** Reads the user_ids of a file; `@wajah/tools` has it. */
export type UserIdReader = (file: string) => Promise<{
  readonly userIds: readonly string[];
  /** How the file is read, where that is to be said. */
  readonly note?: string | undefined;
}>;

export const peopleFile = option(
  '--file <file>',
  'the people of a CSV file with the column user_id, or of a list, instead of one',
);

/** Refusals of a user_id that nobody has, or can have. */
const nobody = new Set(['userNotFound', 'fieldsMalformed']);

/** Those who were not found that a sentence lists. */
const listedPeople = 20;

interface PeopleFile {
  readonly endpoint: OwnEndpoint;
  readonly file: string;
  readonly clientId: string;
  /** With `{count}`, `{file}` and `{client_id}`. */
  readonly question: string;
  readonly agreed: boolean;
  readonly json: boolean;
}

/**
 * Makes a call for each person of a file, and prints what came of it.
 * @throws OperatorError when some are not found, with their user_ids, after the others are done
 */
export async function callForPeople(
  call: CallEndpoint,
  { terminal, library }: Pick<CommandDeps, 'terminal' | 'library'>,
  { endpoint, file, clientId, question, agreed, json }: PeopleFile,
): Promise<void> {
  const { readUserIds } = (await library('tools')) as { readUserIds: UserIdReader };
  const { userIds, note } = await readUserIds(file);
  if (note) terminal.note(note);
  if (userIds.length === 0) throw new OperatorError(`${file} names nobody.`);
  const asked = fill(question, { count: userIds.length, file, client_id: clientId });
  await confirmed(
    terminal,
    agreed,
    asked,
    `Nothing was changed: "${asked}" needs the answer y, or --yes where no one can answer.`,
  );
  const done: Answer[] = [];
  const missing: string[] = [];
  try {
    for (const userId of userIds) {
      const answer = await call(endpoint, { user_id: userId }, clientId).catch((error: unknown) => {
        if (!(error instanceof CallRefused && nobody.has(error.code))) throw error;
        missing.push(userId);
      });
      if (!answer) continue;
      done.push({ user_id: userId, ...withoutStatus(answer) });
      if (!json) terminal.out(lineOf(done.at(-1)));
    }
  } finally {
    if (json) terminal.out(JSON.stringify(done, null, 2));
    terminal.note(`${done.length} of ${userIds.length} people of ${file} are erased.`);
  }
  if (missing.length > 0) throw notFound(missing, clientId);
}

function lineOf({ user_id: userId, facegallery_ids: ids, receipt }: Answer): string {
  const record = receipt ? `record ${receipt.number}, ${receipt.hash}` : 'no receipt';
  return `${userId}: ${ids.length} ${ids.length === 1 ? 'gallery' : 'galleries'}, ${record}`;
}

function notFound(missing: readonly string[], clientId: string): OperatorError {
  const listed = missing.slice(0, listedPeople).map(escapeUnprintable).join(', ');
  const others = missing.length > listedPeople ? ` and ${missing.length - listedPeople} others` : '';
  return new OperatorError(`${missing.length} not found in any gallery of ${clientId}: ${listed}${others}.`);
}
