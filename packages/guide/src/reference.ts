import { endpointList, statuses } from '@wajah/contract';
import { refusals } from '@wajah/contract/refusals';
import { commandHelp, fallbackText, settingList } from '@wajah/server';

/** What is made from the code: path of a document → Markdown, which follows the document where there is one. */
export function referencePages(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/api.md', `${statusTable()}\n\n${endpointTables()}`],
    ['docs/configuration.md', settingsPage()],
    ['docs/commands.md', commandsPage()],
  ]);
}

function endpointTables(): string {
  const tables = [...new Set(endpointList.map(({ tag }) => tag))].map((tag) => {
    const rows = endpointList
      .filter((one) => one.tag === tag)
      .map(({ id, methods, path, summary }) => [`\`${id}\``, `${methods.join(', ')} \`${path}\``, summary]);
    return `### ${tag}\n\n${table(['name', 'call', 'what it does'], rows)}`;
  });
  return ['## Endpoints', ...tables].join('\n\n');
}

function statusTable(): string {
  const codes = Object.entries<{ readonly status: string }>(refusals);
  const rows = Object.entries(statuses).map(([name, { status, http, message, when }]) => {
    const own = codes.flatMap(([code, row]) => (row.status === name ? [`\`${code}\``] : []));
    return [status, String(http), message, when, own.join(' ')];
  });
  const head = ['status', 'HTTP status', 'status_message', 'returned when', 'error'];
  const keywords = [...new Set(rows.flatMap(([status = '', http = '']) => [status, http]))].join(', ');
  return `## Statuses\n\n<!-- search: ${keywords} -->\n\n${table(head, rows)}`;
}

function settingsPage(): string {
  const groups = [...new Set(settingList.map(({ group }) => group))].map((group) => {
    const rows = settingList
      .filter((setting) => setting.group === group)
      .map((setting) => [`\`${setting.name}\``, fallbackText(setting), setting.allowed, setting.description]);
    return `## ${group}\n\n${table(['setting', 'default', 'allowed', 'description'], rows)}`;
  });
  return page(
    'Settings',
    'Settings are environment variables, or lines of a file ([where](operations.md#settings)). They are read once, at the start; an empty value counts as not set. A value ' +
      'that is not allowed stops the start with one line that names the setting. An unknown name is logged as a ' +
      'warning. `wajah config` prints the settings in force.',
    ...groups,
  );
}

function commandsPage(): string {
  // Every command has --help; the page says it once.
  const without = (help: string) =>
    help.replace(/^ +-h, --help .*\n?/gm, '').replace(/\nOptions:\n(?=\n|$)/, '');
  return page(
    'Commands',
    'Every command has `--help`. Exit codes: 0 for success, 1 for a refusal (one line has the reason), 2 for an ' +
      'invalid command line. [Who a command acts for](operations.md#commands)',
    ...commandHelp().map(({ name, help }) => `## ${name}\n\n\`\`\`text\n${without(help).trim()}\n\`\`\``),
  );
}

/** `wajah.env.example` of the archives and packages: every setting with its default, commented out. */
export function environmentExample(): string {
  const lines = settingList.map((setting) => {
    const { name, description: about, fallback } = setting;
    const computed = typeof fallback === 'string' ? '' : ` Default: ${fallback.text}.`;
    return `# ${about}${computed}\n#${name}=${computed ? '' : fallback}\n`;
  });
  return [
    '# Settings of Wajah, each with its default. `wajah config --help` has the allowed values.',
    '# Copy this file to .env beside it and uncomment what differs; WAJAH_ENV_FILE names a file elsewhere.\n',
    ...lines,
  ].join('\n');
}

function page(title: string, ...parts: string[]): string {
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
