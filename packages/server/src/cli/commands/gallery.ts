import { type Command, InvalidArgumentError } from 'commander';
import type { GallerySummary } from '../../admin/operations.ts';
import { OperatorError } from '../../errors.ts';
import { type CommandDeps, oneOf } from '../command.ts';
import { type Columns, dayOf, printList } from '../terminal.ts';
import { addDuplicates } from './duplicates.ts';
import { addGalleryRules } from './people/gallery-rules.ts';

/** Adds `gallery list | set-threshold | set-liveness | set-consent | set-retention | calibration | duplicates`. */
export function addGalleryCommands(program: Command, deps: CommandDeps): void {
  const gallery = program
    .command('gallery')
    .helpCommand(false)
    .description(
      'list the galleries of a client, set their thresholds, rules and calibration, find people who are enrolled twice',
    );
  addList(gallery, deps);
  addSetThreshold(gallery, deps);
  addSetLiveness(gallery, deps);
  addGalleryRules(gallery, deps);
  addCalibration(gallery, deps);
  addDuplicates(gallery, deps);
}

type ListedGallery = Omit<GallerySummary, 'galleryId'> & { readonly facegallery_id: string };

const galleryColumns: Columns<ListedGallery> = {
  facegallery_id: ({ facegallery_id }) => facegallery_id,
  faces: ({ faces }) => String(faces),
  threshold: ({ threshold }) => (threshold === null ? "the server's" : String(threshold)),
  curve: ({ calibrated }) => (calibrated ? 'its own' : "the server's"),
  liveness: ({ requireLiveness }) => (requireLiveness ? 'required' : 'optional'),
  consent: ({ requireConsent }) => (requireConsent ? 'required' : 'optional'),
  retention: ({ retentionDays }) => (retentionDays === null ? '' : `${retentionDays} days`),
  pack: ({ pack }) => pack ?? '',
  created: ({ createdAt }) => dayOf(createdAt),
};

function addList(gallery: Command, { admin, terminal }: CommandDeps): void {
  gallery
    .command('list')
    .description('list the galleries of a client')
    .argument('<client_id>')
    .option('--json', 'print JSON')
    .action(async (clientId: string, { json }: { json?: boolean }) => {
      const galleries = await admin((operations) => operations.listGalleries({ clientId }));
      const items = galleries.map(({ galleryId, ...rest }) => ({ facegallery_id: galleryId, ...rest }));
      printList(terminal, items, { json, columns: galleryColumns, empty: `${clientId} has no galleries.` });
    });
}

function addSetThreshold(gallery: Command, { admin, terminal }: CommandDeps): void {
  gallery
    .command('set-threshold')
    .description('set the similarity score at or above which faces of a gallery match')
    .argument('<client_id>')
    .argument('<facegallery_id>')
    .argument(
      '<value>',
      'a similarity score from 0 to 1, or none for the threshold of the server',
      parseThreshold,
    )
    .action(async (clientId: string, galleryId: string, threshold: number | null) => {
      await admin((operations) => operations.setGalleryThreshold({ clientId, galleryId, threshold }));
      terminal.out(`Threshold of ${galleryId} of ${clientId}: ${threshold ?? 'that of the server'}.`);
    });
}

function addSetLiveness(gallery: Command, { admin, terminal }: CommandDeps): void {
  gallery
    .command('set-liveness')
    .description('require a liveness token to enrol and verify faces of a gallery, or make it optional')
    .argument('<client_id>')
    .argument('<facegallery_id>')
    .argument('<required>', 'required or optional', oneOf(['required', 'optional']))
    .action(async (clientId: string, galleryId: string, rule: 'required' | 'optional') => {
      const required = rule === 'required';
      await admin((operations) => operations.setGalleryLiveness({ clientId, galleryId, required }));
      terminal.out(`Liveness for ${galleryId} of ${clientId}: ${rule}.`);
    });
}

function parseThreshold(given: string): number | null {
  if (given === 'none') return null;
  const value = Number(given);
  if (!/^(\d+(\.\d*)?|\.\d+)$/.test(given) || value > 1) {
    throw new InvalidArgumentError('Allowed: a number from 0 to 1, or none.');
  }
  return value;
}

const modes = {
  show: null,
  auto: 'auto',
  freeze: 'frozen',
  off: 'off',
} as const;

function addCalibration(gallery: Command, { admin, terminal }: CommandDeps): void {
  gallery
    .command('calibration')
    .description(
      'show or set how similarities are normalised by the people of a gallery: auto follows the gallery, freeze keeps the statistics as they are, off uses the curve of the pack',
    )
    .argument('<client_id>')
    .argument('<facegallery_id>')
    .argument('<action>', 'show, auto, freeze or off', oneOf(['show', 'auto', 'freeze', 'off']))
    .action(async (clientId: string, galleryId: string, action: keyof typeof modes) => {
      const mode = modes[action];
      if (mode) await admin((operations) => operations.setGalleryCohort({ clientId, galleryId, mode }));
      const galleries = await admin((operations) => operations.listGalleries({ clientId }));
      const found = galleries.find((one) => one.galleryId === galleryId);
      if (!found) throw new OperatorError(`${clientId} has no gallery ${JSON.stringify(galleryId)}.`);
      const { cohortMode, cohortVersion, cohortPeople } = found;
      const statistics =
        cohortPeople === 0
          ? 'no statistics'
          : `statistics of ${cohortPeople} people, version ${cohortVersion}`;
      terminal.out(`Calibration of ${galleryId} of ${clientId}: ${cohortMode}, ${statistics}.`);
    });
}
