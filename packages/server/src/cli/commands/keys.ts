import type { Command } from 'commander';
import { loadConfig } from '../../config/config.ts';
import { replaceKeyFile } from '../../security/keys/master-key.ts';
import type { KeyStatus } from '../../services/resealing/reseal.ts';
import type { CommandDeps } from '../command.ts';

/** Adds `keys rotate | rotate-master | status`. */
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
      terminal.out('Restart the server: while it serves, it seals everything anew under the new key.');
      terminal.out(`Keep ${former} until \`wajah keys status\` says that it is not needed, then delete it.`);
    });
  keys
    .command('status')
    .description('say how far the master key is replaced')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const status = await admin((operations) => operations.keyStatus({}));
      if (json) terminal.out(JSON.stringify(plainStatus(status)));
      else terminal.out(textOf(status));
    });
}

function plainStatus({ formerKey, done, galleries, pendingGalleries, pendingFaces }: KeyStatus) {
  const pending = { pending_galleries: pendingGalleries, pending_faces: pendingFaces };
  return { former_key: formerKey, done, galleries, ...pending };
}

function textOf({ formerKey, done, galleries, pendingGalleries, pendingFaces }: KeyStatus): string {
  if (!formerKey) return 'There is one master key, and everything is sealed under it.';
  if (done) return 'Everything is sealed under the master key: the former one can be removed.';
  return `The former master key is still needed: ${pendingGalleries} of ${galleries} galleries with ${pendingFaces} faces are not sealed anew yet, or the rest is not.`;
}
