import type { Command } from 'commander';

/** What `wajah --help` lists: the commands under their headings, each with one line. */
const commandGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'The server:': {
    serve: 'start the server; Ctrl-C drains and stops it',
    config: 'print every setting in force with its unit and source',
    doctor: 'check settings, versions, keys, clocks and disks',
    size: 'machines for a number of people and calls',
    models: 'install and choose model packs',
  },
  'Clients and galleries:': {
    client: 'create, list and delete clients, set their quotas',
    token: 'create, list and revoke API tokens',
    webhook: 'send signed events of a client to a URL',
    gallery: 'list galleries, set their rules, find duplicates',
    person: 'export, erase and suspend people, list who expires',
  },
  'Stored data:': {
    import: 'enrol many people from stored pictures',
    export: 'write people with templates into a sealed file',
    backup: 'write a sealed, verified copy of the store',
    restore: 'restore a backup into the configured store',
    migrate: 'upgrade the schema of the store to this version',
    'migrate-store': 'copy everything from one store into another',
    reembed: 'migrate templates to another model pack',
    crops: 'erase stored face crops',
    keys: 'replace the keys of the server',
    audit: 'read, check and export the audit trail',
    'records-of-processing': 'what is processed, of whom, for how long',
  },
  'Accuracy:': {
    evaluate: 'measure the error rates of the pack in use',
    calibrate: 'fit similarity scores to your own people',
    sessions: 'label, export and evaluate recorded sessions',
  },
};

/** One line of a subcommand whose description is longer. */
const summaries: Readonly<Record<string, string>> = {
  'models list': 'list the packs, and which one is in use',
  'models pull': 'show licence and cost of a pack, then install it',
  'models verify': 'compare installed files with their SHA-256',
  'models use': 'choose the pack for the next start of the server',
  'gallery set-threshold': 'set the score at or above which faces match',
  'gallery set-liveness': 'require a liveness token, or make it optional',
  'gallery set-consent': 'require a consent to enrol, or make it optional',
  'gallery set-retention': 'set the days after which people are erased',
  'gallery calibration': 'show or set how similarities are normalised',
  'gallery duplicates': 'find users who may be the same person',
  'client create': 'create a client; prints its secrets, once',
  'client set-quota': 'change quotas of a client',
  'client set-operator': 'allow a client to read status and audit trail',
  'client delete': 'erase a client with its galleries and tokens',
  'token list': 'list the API tokens of a client',
  'import folder': 'from a folder with a folder or file a person',
  'import csv': 'from a CSV file: user_id, user_name, file',
  'import zip': 'from a ZIP archive, laid out as a folder',
  'import people': 'from a file of wajah export',
  'import compreface': 'from CompreFace, by its API or its database',
  'backup verify': 'read a backup and compare every digest',
  'person update': 'record a consent, or set when a person is erased',
  'person suspend': 'keep a person, and match them no longer',
  'person resume': 'match a suspended person again',
  'person expiring': 'list people who will be erased soon',
  'person export': 'write what is known of a person as JSON',
  'person erase': 'erase a person from all galleries of a client',
  'keys rotate': 'replace the key that signs access tokens',
  'keys rotate-master': 'generate a new master key for the next start',
  'audit verify': 'check that no record was changed or removed',
  'sessions export': 'write the pictures of labelled sessions',
  'sessions evaluate': 'APCER and BPCER of the labelled sessions',
};

/** Gives each command its heading and its line in the lists of commands, where arguments and options are left out. */
export function groupCommands(program: Command): void {
  const named = (parent: Command, wanted: string) => parent.commands.find((one) => one.name() === wanted);
  for (const [heading, lines] of Object.entries(commandGroups)) {
    for (const [name, line] of Object.entries(lines)) named(program, name)?.helpGroup(heading).summary(line);
  }
  for (const [path, line] of Object.entries(summaries)) {
    const [parent = '', name = ''] = path.split(' ');
    const command = named(program, parent);
    if (command) named(command, name)?.summary(line);
  }
}
