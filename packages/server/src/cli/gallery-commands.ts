import { type Command, InvalidArgumentError } from 'commander';
import type { GallerySummary } from '../admin/operations.ts';
import type { CommandDeps } from './program.ts';
import { table } from './terminal.ts';

/** Adds `gallery list | set-threshold | set-liveness`. */
export function addGalleryCommands(program: Command, deps: CommandDeps): void {
  const gallery = program
    .command('gallery')
    .helpCommand(false)
    .description('the galleries of a client, and how alike is alike enough in each');
  addList(gallery, deps);
  addSetThreshold(gallery, deps);
  addSetLiveness(gallery, deps);
}

function addList(gallery: Command, { admin, terminal }: CommandDeps): void {
  gallery
    .command('list')
    .description('list the galleries of a client')
    .argument('<client_id>')
    .option('--json', 'print JSON')
    .action(async (clientId: string, options: { json?: boolean }) => {
      const galleries = await admin((operations) => operations.listGalleries({ clientId }));
      if (options.json) terminal.out(JSON.stringify(galleries.map(galleryJson)));
      else if (galleries.length === 0) terminal.note(`${clientId} has no galleries.`);
      else terminal.out(galleryTable(galleries));
    });
}

function addSetThreshold(gallery: Command, { admin, terminal }: CommandDeps): void {
  gallery
    .command('set-threshold')
    .description('set the similarity from which on faces of a gallery match')
    .argument('<client_id>')
    .argument('<facegallery_id>')
    .argument('<value>', 'a similarity from 0 to 1, or none for the threshold of the server', threshold)
    .action(async (clientId: string, galleryId: string, value: number | null) => {
      await admin((operations) => operations.setGalleryThreshold({ clientId, galleryId, threshold: value }));
      const said = value === null ? 'that of the server' : String(value);
      terminal.out(`Threshold of ${galleryId} of ${clientId}: ${said}.`);
    });
}

function addSetLiveness(gallery: Command, { admin, terminal }: CommandDeps): void {
  gallery
    .command('set-liveness')
    .description('say whether a gallery takes and verifies faces only with a liveness token')
    .argument('<client_id>')
    .argument('<facegallery_id>')
    .argument('<required>', 'required or optional', required)
    .action(async (clientId: string, galleryId: string, value: boolean) => {
      await admin((operations) => operations.setGalleryLiveness({ clientId, galleryId, required: value }));
      terminal.out(`Liveness for ${galleryId} of ${clientId}: ${value ? 'required' : 'optional'}.`);
    });
}

function required(given: string): boolean {
  if (given === 'required' || given === 'optional') return given === 'required';
  throw new InvalidArgumentError('Allowed: required or optional.');
}

function threshold(given: string): number | null {
  if (given === 'none') return null;
  const value = Number(given);
  if (!/^(\d+(\.\d*)?|\.\d+)$/.test(given) || value > 1) {
    throw new InvalidArgumentError('Allowed: a number from 0 to 1, or none.');
  }
  return value;
}

function galleryTable(galleries: readonly GallerySummary[]): string {
  const rows = galleries.map((one) => [
    one.galleryId,
    String(one.faces),
    one.threshold === null ? "the server's" : String(one.threshold),
    one.calibrated ? 'its own' : "the server's",
    one.requireLiveness ? 'required' : 'optional',
    one.pack ?? '',
    one.createdAt.slice(0, 10),
  ]);
  return table(['facegallery_id', 'faces', 'threshold', 'curve', 'liveness', 'pack', 'created'], rows);
}

function galleryJson(one: GallerySummary): Record<string, unknown> {
  return {
    facegallery_id: one.galleryId,
    faces: one.faces,
    threshold: one.threshold,
    calibrated: one.calibrated,
    require_liveness: one.requireLiveness,
    pack: one.pack,
    created_at: one.createdAt,
  };
}
