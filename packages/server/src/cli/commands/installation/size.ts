import { maxTemplates } from '@wajah/contract/values';
import { type Command, InvalidArgumentError } from 'commander';
import { type Demand, type Sizing, sizeFor } from '../../../sizing/size.ts';
import { type CommandDeps, wholeNumber } from '../../command.ts';
import { snakeCase } from '../../terminal.ts';

interface Options {
  readonly people: number;
  readonly pictures: number;
  readonly callsPerHour: number;
  readonly liveness: number;
  readonly peak: number;
  readonly json?: boolean;
}

/** Adds `size`. */
export function addSizeCommand(program: Command, { terminal }: Pick<CommandDeps, 'terminal'>): void {
  program
    .command('size')
    .description(
      'machines for a number of people and calls, by what was measured (docs/operations/sizing.md)',
    )
    .requiredOption('--people <n>', 'people in all galleries together', wholeNumber(0, 1_000_000_000))
    .option(
      '--pictures <n>',
      'pictures that a person is enrolled with, in the mean',
      wholeNumber(1, maxTemplates),
      1,
    )
    .requiredOption(
      '--calls-per-hour <n>',
      'calls with a picture, and liveness sessions, of a mean hour',
      wholeNumber(0, 1_000_000_000),
    )
    .option('--liveness <share>', 'share of them that are liveness sessions, 0 to 1', numberIn(0, 1), 0)
    .option('--peak <factor>', 'calls of the busiest hour over those of a mean one', numberIn(1, 100), 3)
    .option('--json', 'print JSON')
    .action(({ json, ...demand }: Options) => {
      const size = sizeFor(demand);
      terminal.out(
        json ? JSON.stringify({ ...snakeCase(demand), ...snakeCase(size) }) : describeSize(demand, size),
      );
    });
}

function numberIn(min: number, max: number): (given: string) => number {
  return (given) => {
    const value = Number(given);
    if (given.trim() !== '' && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Allowed: a number from ${min} to ${max}.`);
  };
}

/** The answer for people. */
function describeSize(demand: Demand, size: Sizing): string {
  const { servers, cores, workers, memoryGib, matchMemoryMb, diskGb, busyCores, callMs } = size;
  const embedded = size.store === 'embedded';
  const machines = servers === 1 ? 'one server' : `${servers} servers, each`;
  const disk = embedded ? `${diskGb} GB of disk` : '10 GB of disk';
  const store = embedded
    ? 'the embedded database (WAJAH_DATA_DIR)'
    : `PostgreSQL with ${diskGb} GB of disk for one copy, and its standby`;
  const second = embedded
    ? 'a second one of the same size, to survive the loss of a machine, needs PostgreSQL'
    : 'one more of the same size survives the loss of a machine';
  return [
    `machines  ${machines} with ${cores} cores, ${memoryGib} GiB of memory, ${disk}; ${second}`,
    `settings  WAJAH_ENGINE_WORKERS=${workers} WAJAH_MATCH_MEMORY_MB=${matchMemoryMb}`,
    `store     ${store}`,
    `peak      ${busyCores.toFixed(2)} cores busy: ${Math.round(demand.callsPerHour * demand.peak)} calls an hour of ${callMs.toFixed(0)} ms`,
  ].join('\n');
}
