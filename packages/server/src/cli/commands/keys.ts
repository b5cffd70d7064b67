import type { Command } from 'commander';
import { loadConfig } from '../../config/config.ts';
import { replaceKeyFile } from '../../security/keys/master-key.ts';
import type { CommandDeps } from '../command.ts';

/** Adds `keys rotate | rotate-master`. */
export function addKeyCommands(program: Command, { admin, terminal, env }: CommandDeps): void {
  const keys = program.command('keys').helpCommand(false).description('replace the keys of the server');
  keys
    .command('rotate')
    .description('replace the key that signs access tokens, while servers run')
    .option('--at-once', 'refuse all tokens of the former key from now on (default: until they expire)')
    .option('--json', 'print JSON')
    .action(async ({ atOnce = false, json }: { atOnce?: boolean; json?: boolean }) => {
      const { kid, formerUntil } = await admin((operations) => operations.rotateSigningKey({ atOnce }));
      if (json) {
        terminal.out(JSON.stringify({ kid, former_until: formerUntil }));
        return;
      }
      terminal.out(`New tokens are signed with the key ${kid}.`);
      terminal.out(
        atOnce
          ? 'Earlier tokens are refused; clients request new ones.'
          : `Tokens of the former key stay valid until they expire, at the latest at ${formerUntil}.`,
      );
    });
  keys
    .command('rotate-master')
    .description('generate a new master key in the data directory; the next start of the server uses it')
    .action(() => {
      const former = replaceKeyFile(loadConfig(env).dataDir);
      terminal.out('Restart the server: it wraps the keys of all galleries anew while it serves.');
      terminal.out(
        `Keep ${former} until it has logged so and until frames and recorded sessions have expired.`,
      );
    });
}
