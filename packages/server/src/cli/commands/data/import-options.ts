import { maxTemplates } from '@wajah/contract/values';
import { type Command, Option } from 'commander';
import type { ImportOutcome } from '../../../operator/import/people.ts';
import { oneOf, wholeNumber } from '../../command.ts';
import type { Terminal } from '../../terminal.ts';

/** Options of every `import`. */
export interface ImportOptions {
  readonly client?: string;
  readonly gallery: string;
  readonly createGallery?: boolean;
  readonly url?: string;
  readonly token?: string;
  readonly parallel: number;
  readonly journal: string;
  readonly pictures: number;
  readonly replace?: boolean;
  readonly duplicates?: 'report' | 'refuse';
  readonly force?: boolean;
  readonly checkQuality?: boolean;
  readonly checkSingleFace?: boolean;
  readonly dryRun?: boolean;
  readonly report?: string;
}

export function withImportOptions(command: Command): Command {
  return command
    .requiredOption('--gallery <facegallery_id>', 'the gallery that people are enrolled in')
    .option('--client <client_id>', 'the client that it belongs to; not with --url')
    .option('--create-gallery', 'create the gallery if it does not exist')
    .option(
      '--pictures <number>',
      `pictures of a person at most, 1 to ${maxTemplates}`,
      wholeNumber(1, maxTemplates),
      maxTemplates,
    )
    .option('--replace', 'replace the templates of people who are enrolled already')
    .addOption(
      new Option(
        '--duplicates <way>',
        'report: say whose face it is already; refuse: do not enrol the person either',
      ).argParser(oneOf(['report', 'refuse'])),
    )
    .option('--force', 'enrol faces below the minimum size')
    .option('--check-quality', 'refuse faces that fail a quality rule')
    .option('--check-single-face', 'refuse pictures with more than one face')
    .option('--dry-run', 'analyse every picture and write nothing; with --url nothing is sent')
    .option(
      '--report <file>',
      'write a line for each picture: CSV if it ends in .csv, else JSON lines; continued',
    )
    .option('--url <url>', 'enrol over HTTP on this server, instead of in the store of this installation')
    .option('--token <token>', 'API token for --url; - reads it from the standard input')
    .option('--parallel <number>', 'with --url: people sent at once', wholeNumber(1, 64), 4)
    .option(
      '--journal <file>',
      'with --url: who was sent completely, for a resumed import',
      'wajah-import.journal',
    );
}

/** Names of files may hold characters that move the cursor of a terminal, or end its line. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (found) => JSON.stringify(found).slice(1, -1));
}

/** Refusals that are printed; the report has all. */
const shownRefusals = 20;

/** Prints the first refusals, and how many there were. */
export function refusalNotes({ note }: Pick<Terminal, 'note'>, report: string | undefined) {
  let count = 0;
  return {
    add({ person, file, reason }: ImportOutcome): void {
      count += 1;
      if (count <= shownRefusals) note(printable([person, file, reason].filter(Boolean).join(': ')));
    },
    end(): void {
      if (count <= shownRefusals) return;
      note(
        `… and ${count - shownRefusals} further refusals; ${report ? `all are in ${report}` : '--report lists them all'}`,
      );
    },
  };
}
