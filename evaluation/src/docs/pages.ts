import { statuses } from '@wajah/contract';
import { commandHelp, fallbackText, type Setting, settings } from '@wajah/server';
import { codeBlock, markdownTable, page } from './markdown.ts';

/** docs/configuration.md: every setting. */
export function configurationPage(): string {
  const all = Object.values<Setting<unknown>>(settings);
  const groups = [...new Set(all.map((setting) => setting.group))].map((group) => {
    const rows = all
      .filter((setting) => setting.group === group)
      .map((setting) => [`\`${setting.name}\``, fallbackText(setting), setting.allowed, setting.about]);
    return `## ${group}\n\n${markdownTable(['setting', 'default', 'allowed', 'what it does'], rows)}`;
  });
  return page(
    'Settings',
    'Settings are environment variables, read once at the start. An empty value counts as not set. A value that ' +
      'is not allowed stops the start with one line that names it; a name that is no setting is a warning. ' +
      '`npx wajah config` prints what is in force.',
    ...groups,
  );
}

/** docs/errors.md: the status table. */
export function errorsPage(): string {
  const rows = Object.values(statuses).map(({ status, http, message, when }) => [
    status,
    String(http),
    message,
    when,
  ]);
  return page(
    'Statuses',
    'Every JSON answer of the specified endpoints carries `status` and `status_message`. An error also carries ' +
      '`detail`, one sentence that names the field, what was found and what is allowed, and `trx_id`. ' +
      'Programs decide by `status`; `detail` is for people and may change.',
    markdownTable(['status', 'HTTP', 'status_message', 'when'], rows),
  );
}

/** docs/commands.md: the help of every command. */
export function commandsPage(): string {
  const parts = commandHelp().map(({ name, help }) => `## ${name}\n\n${codeBlock('text', help)}`);
  return page(
    'Commands',
    'Run them with `npx wajah …` after `npm run build` (`npm start` builds too). They work while the server ' +
      'runs: they find it through the data directory, so give them the same `WAJAH_DATA_DIR`. Without a running ' +
      'server they open the data directory themselves and need the same `WAJAH_SECRET_KEY` as well. ' +
      'Exit codes: 0 done, 1 refused (one line says why), 2 the command line was not understood.',
    ...parts,
  );
}
