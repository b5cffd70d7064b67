import { type Command, Option } from 'commander';

/** What an archive is sealed with. */
export function withSecret(command: Command): Command {
  return command
    .option('--passphrase-file <file>', 'sealed with the passphrase on the first line of this file')
    .addOption(
      new Option('--key-file <file>', 'sealed with this file of at least 32 bytes').conflicts(
        'passphraseFile',
      ),
    );
}
