import type { Command } from 'commander';
import { OperatorError } from '../../../errors.ts';
import type { SecretFiles } from '../../../operator/archive-secret.ts';
import type { CommandDeps } from '../../command.ts';
import { showProgress } from '../../progress.ts';
import { megabytes } from '../../terminal.ts';
import { withSecret } from './archive-options.ts';

interface ExportOptions extends SecretFiles {
  readonly client: string;
  readonly gallery?: string;
  readonly crops: boolean;
}

/** Adds `export`. */
export function addExportCommand(program: Command, { admin, exports, terminal }: CommandDeps): void {
  withSecret(program.command('export'))
    .description(
      'write the people of a gallery, or of all galleries of a client, with templates and kept crops into a sealed ' +
        'file, for wajah import people of this or another installation',
    )
    .argument('<file>', 'the new file; it must not exist')
    .requiredOption('--client <client_id>', 'the client whose people are exported')
    .option('--gallery <facegallery_id>', 'only this gallery')
    .option('--no-crops', 'leave kept crops out')
    .action(async (file: string, { client, gallery, crops, ...secret }: ExportOptions) => {
      if (secret.passphraseFile === undefined && secret.keyFile === undefined) {
        throw new OperatorError(
          'give --passphrase-file or --key-file: another installation has another master key',
        );
      }
      const progress = showProgress('exported', terminal, 'people');
      const operations = await exports();
      const { bytes, people, galleries } = await admin((reached) =>
        operations.people(
          file,
          { clientId: client, galleryId: gallery ?? null },
          { ...secret, withCrops: crops },
          reached,
          progress.update,
        ),
      ).finally(progress.end);
      terminal.out(
        `Wrote ${file} (${megabytes(bytes)}): ${people} ${people === 1 ? 'person' : 'people'} of ${galleries} ${galleries === 1 ? 'gallery' : 'galleries'}.`,
      );
    });
}
