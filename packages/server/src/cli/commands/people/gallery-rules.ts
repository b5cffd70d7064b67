import type { Command } from 'commander';
import { OperatorError } from '../../../errors.ts';
import { dayMs } from '../../../lib/time.ts';
import { type CommandDeps, oneOf, wholeNumber } from '../../command.ts';

const mostDays = 36_500;

/** Adds `gallery set-consent` and `gallery set-retention`. */
export function addGalleryRules(gallery: Command, { admin, terminal }: CommandDeps): void {
  gallery
    .command('set-consent')
    .description('require a consent reference to enrol people in a gallery, or make it optional')
    .argument('<client_id>')
    .argument('<facegallery_id>')
    .argument('<required>', 'required or optional', oneOf(['required', 'optional']))
    .action(async (clientId: string, galleryId: string, rule: 'required' | 'optional') => {
      const required = rule === 'required';
      await admin((operations) => operations.setGalleryConsent({ clientId, galleryId, required }));
      terminal.out(`Consent in ${galleryId} of ${clientId}: ${rule}.`);
    });
  gallery
    .command('set-retention')
    .description(
      'set the days after the first enrolment after which people of a gallery are erased, unless they have a time of their own',
    )
    .argument('<client_id>')
    .argument('<facegallery_id>')
    .argument('<days>', 'a whole number, or none', parseDays)
    .option('-y, --yes', 'do not ask, also if people would be erased at once')
    .action(async (clientId: string, galleryId: string, days: number | null, { yes }: { yes?: boolean }) => {
      const question = `People of ${galleryId} who were enrolled before ${before(days)} are erased within minutes. Set it?`;
      if (days !== null && !yes && !(await terminal.confirm(question))) {
        throw new OperatorError('Nothing was changed; --yes sets it without asking.');
      }
      await admin((operations) => operations.setGalleryRetention({ clientId, galleryId, days }));
      const kept = days === null ? 'without end' : `${days} days`;
      terminal.out(`Retention in ${galleryId} of ${clientId}: ${kept}.`);
    });
}

/** `none`, or days. */
export function parseDays(given: string): number | null {
  return given === 'none' ? null : wholeNumber(1, mostDays, ' (none: no end)')(given);
}

function before(days: number | null): string {
  return new Date(Date.now() - (days ?? 0) * dayMs).toISOString().slice(0, 10);
}
