import { type Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../../config/config.ts';
import { asOperatorError, OperatorError } from '../../errors.ts';
import type { RecordedSession } from '../../operator/recordings.ts';
import { attackSpecies } from '../../services/recordings/judgement.ts';
import { type CommandDeps, oneOf } from '../command.ts';
import { showProgress } from '../progress.ts';
import { type Columns, printList } from '../terminal.ts';
import { type EvaluationDeps, isRefusal, sectionsText } from './evaluation.ts';

type Species = (typeof attackSpecies)[number];

/** Adds `sessions list | label | export | evaluate | erase`. */
export function addSessionCommands(program: Command, deps: EvaluationDeps): void {
  const sessions = program
    .command('sessions')
    .helpCommand(false)
    .description(
      'label recorded liveness sessions and measure error rates with them (WAJAH_RECORD_SESSIONS); see docs/measuring-liveness.md',
    );
  addList(sessions, deps);
  addLabel(sessions, deps);
  addExport(sessions, deps);
  addEvaluate(sessions, deps);
  addErase(sessions, deps);
}

interface Selection {
  readonly client?: string;
}

function withClient(command: Command): Command {
  return command.option('--client <client_id>', 'only the sessions of this client');
}

async function recorded({ admin, recordings }: CommandDeps, { client }: Selection) {
  const reader = await recordings();
  const all = await admin((operations) => reader.list(operations));
  return { reader, sessions: all.filter(({ clientId }) => client === undefined || clientId === client) };
}

const noSessions =
  'No session is recorded: set WAJAH_RECORD_SESSIONS=true and send consent: true with submit-session.';

const columns: Columns<ReturnType<typeof listed>> = {
  session_id: ({ sessionId }) => sessionId,
  client_id: ({ clientId }) => clientId,
  recorded: ({ recordedAt }) => recordedAt.slice(0, 16),
  judged: ({ passed }) => (passed ? 'passed' : 'failed'),
  spoof: ({ spoofScore }) => spoofScore?.toFixed(2) ?? '',
  frames: ({ frames }) => String(frames),
  device: ({ device }) => device ?? '',
  label: ({ label, species }) => [label, species].filter(Boolean).join(' '),
};

function listed({ id, clientId, at, label, species, judgement }: RecordedSession) {
  const { passed, reasons, spoofScore, frames, device, person } = judgement;
  return {
    ...{ sessionId: id, clientId, recordedAt: at, label, species, passed, reasons },
    ...{ spoofScore, frames: frames.length, device, person },
  };
}

function addList(parent: Command, deps: CommandDeps): void {
  const command = parent
    .command('list')
    .description('list the recorded sessions, without pictures')
    .option('--unlabelled', 'only those without a label')
    .option('--json', 'print JSON');
  withClient(command).action(
    async ({ json, unlabelled, ...selection }: Selection & { json?: boolean; unlabelled?: boolean }) => {
      const { sessions } = await recorded(deps, selection);
      const shown = sessions.filter(({ label }) => !unlabelled || label === null);
      printList(deps.terminal, shown.map(listed), { json, columns, empty: noSessions });
    },
  );
}

function addLabel(parent: Command, { admin, terminal }: CommandDeps): void {
  parent
    .command('label')
    .description('say what a recorded session was')
    .argument('<session_id>')
    .argument('<label>', 'bona_fide or attack', oneOf(['bona_fide', 'attack']))
    .option('--species <species>', `of an attack: ${attackSpecies.join(', ')}`, oneOf(attackSpecies))
    .action(async (id: string, label: 'bona_fide' | 'attack', { species }: { species?: Species }) => {
      if (label === 'attack' && species === undefined) {
        throw new OperatorError(`An attack needs --species: ${attackSpecies.join(', ')}.`);
      }
      if (label === 'bona_fide' && species !== undefined)
        throw new OperatorError('--species is of an attack.');
      await admin((operations) => operations.labelRecording({ id, label, species: species ?? null }));
      terminal.out(`${id}: ${[label, species].filter(Boolean).join(' ')}`);
    });
}

function addExport(parent: Command, deps: CommandDeps): void {
  const command = parent
    .command('export')
    .description(
      'write the pictures of labelled sessions, decrypted, as a folder that `wajah evaluate` reads',
    )
    .argument('<folder>', 'a new or empty folder; only this user can read what is written');
  withClient(command).action(async (folder: string, selection: Selection) => {
    const { reader, sessions } = await recorded(deps, selection);
    const labelled = requireLabelled(sessions);
    const progress = showProgress('exported', deps.terminal, 'sessions');
    const pictures = await deps
      .admin((operations) =>
        reader.export(operations, folder, labelled, (done) => progress.update(done, labelled.length)),
      )
      .finally(progress.end);
    deps.terminal.out(`Wrote ${pictures} pictures of ${labelled.length} sessions to ${folder}.`);
    deps.terminal.note(
      'They are pictures of faces, no longer encrypted, and neither expire nor are erased with their people: delete the folder when you have measured.',
    );
  });
}

function addEvaluate(parent: Command, deps: EvaluationDeps): void {
  const command = parent
    .command('evaluate')
    .description('APCER by species and BPCER of the labelled sessions, and the thresholds that follow')
    .option('--threshold <score>', 'spoof threshold to measure; default: the one in force', parseThreshold)
    .option('--json', 'print JSON');
  withClient(command).action(
    async ({ json, threshold, ...selection }: Selection & { json?: boolean; threshold?: number }) => {
      const { sessions } = await recorded(deps, selection);
      const samples = requireLabelled(sessions).map(({ label, species, judgement }) => ({
        ...judgement,
        attack: label === 'attack' ? (species ?? 'other') : null,
      }));
      const inForce = threshold ?? loadConfig(deps.env).thresholds.spoof ?? null;
      const library = await deps.evaluation();
      const report = await asOperatorError(
        async () => library.evaluateRecorded({ sessions: samples, threshold: inForce }),
        isRefusal,
      );
      deps.terminal.out(json ? JSON.stringify(report) : sectionsText(report).join('\n\n'));
    },
  );
}

function requireLabelled(sessions: readonly RecordedSession[]): RecordedSession[] {
  const labelled = sessions.filter(({ label }) => label !== null);
  if (labelled.length > 0) return labelled;
  throw new OperatorError(
    sessions.length === 0
      ? noSessions
      : `None of ${sessions.length} recorded sessions is labelled: wajah sessions label <session_id> bona_fide|attack`,
  );
}

function parseThreshold(given: string): number {
  const value = Number(given);
  if (/^(\d+(\.\d*)?|\.\d+)$/.test(given) && value <= 1) return value;
  throw new InvalidArgumentError('Allowed: a number from 0 to 1.');
}

interface EraseOptions extends Selection {
  readonly subject?: string;
  readonly session?: string;
  readonly all?: boolean;
  readonly yes?: boolean;
}

function addErase(parent: Command, { admin, terminal }: CommandDeps): void {
  const command = parent
    .command('erase')
    .description('erase recorded sessions')
    .option('--subject <name>', 'of this person: subject or user_id of the sessions')
    .option('--session <session_id>', 'this one')
    .option('--all', 'all of them')
    .option('-y, --yes', 'do not ask');
  withClient(command).action(async ({ client, subject, session, all, yes }: EraseOptions) => {
    const named = [
      ...(session === undefined ? [] : [`session ${session}`]),
      ...(subject === undefined ? [] : [`of ${subject}`]),
      ...(client === undefined ? [] : [`of client ${client}`]),
    ];
    if (named.length === 0 && !all) {
      throw new OperatorError('Name --subject, --session or --client, or erase --all.');
    }
    const question = `Erase the recorded sessions: ${named.join(', ') || 'all'}? This cannot be undone.`;
    if (!yes && !(await terminal.confirm(question))) {
      throw new OperatorError('Nothing was erased; --yes erases without asking.');
    }
    const selection = { id: session ?? null, clientId: client ?? null, subject: subject ?? null };
    const erased = await admin((operations) => operations.eraseRecordings(selection));
    terminal.out(`Erased ${erased} recorded sessions.`);
  });
}
