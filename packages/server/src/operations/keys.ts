import { z } from 'zod';
import { loadConfig } from '../config/config.ts';
import { call, command, confirmed, flag, json, operation, option, yes } from './command.ts';

const rotateSigningKey = operation('rotateSigningKey', {
  /** `atOnce`: tokens of the former key are refused from now on. */
  input: z.object({ atOnce: z.boolean() }),
  act: ({ atOnce }) => [null, { at_once: atOnce }],
  run: ({ issuer }, { atOnce }) => issuer.rotateKey(atOnce),
});

/** The keys of the server. */
export const keyCommands = [
  command({
    name: 'keys',
    heading: 'Stored data:',
    about: 'replace the keys of the server',
  }),
  call({
    name: 'keys rotate',
    line: 'replace the key that signs access tokens',
    about: 'replace the key that signs access tokens, while servers run',
    options: {
      atOnce: flag(
        '--at-once',
        'refuse all tokens of the former key from now on (default: until they expire)',
      ),
      json,
    },
    calls: rotateSigningKey,
    print: ({ kid, formerUntil }, { atOnce, json }, { out }) => {
      if (json) return out(JSON.stringify({ kid, former_until: formerUntil }));
      out(`New tokens are signed with the key ${kid}.`);
      out(
        atOnce
          ? 'Earlier tokens are refused; clients request new ones.'
          : `Tokens of the former key stay valid until they expire, at the latest at ${formerUntil}.`,
      );
    },
  }),
  command({
    name: 'keys rotate-master',
    line: 'replace the master key, while no server runs',
    about:
      'seal everything stored under a new master key, while no server runs: all of it or, when it is interrupted, nothing; then the former key opens only backups from before',
    options: {
      newKeyFile: option(
        '--new-key-file <file>',
        'where the key is the setting WAJAH_SECRET_KEY: file of the new one, 64 hexadecimal digits, which is created if it does not exist',
      ),
      yes: { ...yes, about: 'do not ask' },
    },
    action: async ({ terminal, env }, { newKeyFile, yes }) => {
      const { planRotation } = await import('./master-key-rotation.ts');
      const rotation = planRotation(loadConfig(env), newKeyFile);
      await confirmed(
        terminal,
        yes,
        rotation.question,
        'Nothing was changed; --yes replaces it without asking.',
      );
      for (const line of await rotation.run()) terminal.out(line);
    },
  }),
] as const;
