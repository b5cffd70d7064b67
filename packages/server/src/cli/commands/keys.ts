import type { Command } from 'commander';
import type { CommandDeps } from '../command.ts';

/** Adds `keys rotate`. */
export function addKeyCommands(program: Command, { admin, terminal }: CommandDeps): void {
  const keys = program.command('keys').helpCommand(false).description('manage the keys of the server');
  keys
    .command('rotate')
    .description('replace the key that signs access tokens, while servers run')
    .option('--at-once', 'refuse all tokens of the former key from now on (default: until they expire)')
    .option('--json', 'print JSON')
    .action(async ({ atOnce = false, json }: { atOnce?: boolean; json?: boolean }) => {
      const { kid, formerUntil } = await admin((operations) => operations.rotateSigningKey({ atOnce }));
      if (json) terminal.out(JSON.stringify({ kid, former_until: formerUntil }));
      else {
        terminal.out(`New tokens are signed with the key ${kid}.`);
        terminal.out(
          atOnce
            ? 'Earlier tokens are refused; clients request new ones.'
            : `Tokens of the former key stay valid until they expire, at the latest at ${formerUntil}.`,
        );
      }
    });
}
