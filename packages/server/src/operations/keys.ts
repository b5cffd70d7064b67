import { loadConfig } from '../config/config.ts';
import { command, confirmed, option, yes } from './command.ts';

/** The keys of the server. */
export const keyCommands = [
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
