import { maxTemplates } from '@wajah/contract/values';
import { OperatorError } from '../errors.ts';
import {
  argument,
  command,
  flag,
  json,
  oneOf,
  option,
  optionOr,
  required,
  tool,
  wholeNumber,
} from './command.ts';

const data = 'Stored data:';
const accuracy = 'Accuracy:';

/** What an archive is sealed with. */
const secretOptions = {
  passphraseFile: option(
    '--passphrase-file <file>',
    'sealed with the passphrase on the first line of this file',
  ),
  keyFile: {
    ...option('--key-file <file>', 'sealed with this file of at least 32 bytes'),
    conflicts: 'passphraseFile',
  },
};

/** Options of every import. */
const importOptions = {
  gallery: required('--gallery <facegallery_id>', 'the gallery that people are enrolled in'),
  client: option('--client <client_id>', 'the client that it belongs to, in this installation'),
  url: option('--url <url>', 'enrol at this server, instead of in this installation'),
  token: option(
    '--token <token>',
    'for --url: an API token with the scopes enrol and read; - reads it from the standard input',
  ),
  createGallery: flag('--create-gallery', 'create the gallery if it does not exist'),
  pictures: optionOr(
    maxTemplates as number,
    '--pictures <number>',
    `pictures of a person at most, 1 to ${maxTemplates}`,
    wholeNumber(1, maxTemplates),
  ),
  replace: flag('--replace', 'replace the templates of people who are enrolled already'),
  duplicates: option(
    '--duplicates <way>',
    'refuse: do not enrol a person whose face looks like that of another one',
    oneOf(['refuse']),
  ),
  force: flag(
    '--force',
    "enrol faces below the minimum size, faces that show too little to tell people apart, and pictures that differ from the person's others",
  ),
  checkQuality: flag('--check-quality', 'refuse faces that fail a quality rule'),
  checkSingleFace: flag('--check-single-face', 'refuse pictures with more than one face'),
  dryRun: flag(
    '--dry-run',
    'ask the server what it requires, check ids and decode every picture; none is sent, and no face is looked for',
  ),
  report: option(
    '--report <file>',
    'write a line for each picture: CSV if it ends in .csv, else JSON lines; continued',
  ),
  parallel: optionOr(4, '--parallel <number>', 'people sent at once', wholeNumber(1, 64)),
  journal: optionOr(
    'wajah-import.journal',
    '--journal <file>',
    'of this import: whose pictures were not all sent, to resume it',
  ),
};

/** What `wajah evaluate` measures. */
const evaluationTasks = [
  'verification',
  'identification',
  'pairs',
  'cohort',
  'mask',
  'eyes',
  'mouth',
  'pose',
  'pad',
  'idcard',
  'detection',
  'sessions',
] as const;
export type EvaluationTask = (typeof evaluationTasks)[number];

const split = oneOf(['dev', 'test']);
/** What a calibration is for. */
const place = oneOf(['server', 'gallery']);

function packName(given: string): string {
  if (/^[a-z0-9][a-z0-9-]*$/.test(given)) return given;
  throw new OperatorError('Allowed: builtin, or a name that `models list` shows.');
}

function listOf(given: string): string[] {
  const names = given.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new OperatorError('Allowed: names separated by commas.');
}

function countOf(given: string): number {
  const count = Number(given);
  if (Number.isInteger(count) && count >= 2) return count;
  throw new OperatorError('Allowed: whole numbers from 2 on.');
}

/** Commands whose work is in `@wajah/tools`: what they are given. */
export const toolCommands = [
  tool('reembed', {
    name: 'reembed',
    heading: data,
    line: 'migrate templates to another model pack',
    about:
      'replace the templates of galleries by those of another model pack, computed from the stored face crops, while ' +
      'no server runs; resumable: a gallery that was migrated in part is refused until it is completed',
    options: {
      to: required('--to <pack>', 'builtin, or the name of an installed pack', packName),
      leaveOut: flag(
        '--leave-out',
        'erase the people whom no template can be computed for, so that their gallery can be migrated',
      ),
      client: option('--client <client_id>', 'only the galleries of this client'),
      gallery: option('--gallery <facegallery_id>', 'only this gallery of the client'),
    },
  }),
  command({
    name: 'import',
    heading: data,
    line: 'enrol many people from stored pictures',
    about:
      'enrol many people from stored pictures; can be repeated: people who are enrolled already are skipped',
  }),
  tool('importFolder', {
    name: 'import folder',
    line: 'from a folder with a folder or file a person',
    about: 'from a folder with a folder or a file for each person, named by user_id',
    arguments: {
      path: argument(
        '<folder>',
        'staff/3174001/front.jpg or staff/3174001.jpg; _ in a name is a space of the user_name',
      ),
    },
    options: importOptions,
  }),
  tool('importCsv', {
    name: 'import csv',
    line: 'from a CSV file: user_id, user_name, file',
    about: 'from a CSV file with the columns user_id, user_name and file, and those of a consent',
    arguments: {
      path: argument(
        '<file>',
        'UTF-8, UTF-16 or Windows-1252; paths are relative to its folder; further rows of a user_id are further pictures',
      ),
    },
    options: {
      ...importOptions,
      idsAsWritten: flag(
        '--ids-as-written',
        'take ids that look damaged by a spreadsheet: they are meant so',
      ),
    },
  }),
  tool('importCompreFace', {
    name: 'import compreface',
    line: 'from CompreFace, by its API or its database',
    about:
      'from CompreFace: its subjects and their stored pictures, by its API or from its database. Its embeddings are of ' +
      'other networks and cannot be used: each picture gets a new template',
    options: {
      ...importOptions,
      api: option('--api <url>', 'address of CompreFace, such as http://localhost:8000; needs --key'),
      database: {
        ...option('--database <url>', 'its PostgreSQL database, postgres://…; only read'),
        conflicts: 'api',
      },
      key: option(
        '--key <x-api-key>',
        'API key of the recognition service; - reads it from the standard input',
      ),
    },
  }),
  tool('backUp', {
    name: 'backup',
    heading: data,
    line: 'write a sealed, verified copy of the store',
    about:
      'write a verified copy of the store into a new file, sealed under the master key unless another secret is named; ' +
      'also while servers run',
    arguments: { file: argument('<file>', 'the new file; it must not exist. With --keep: a folder') },
    options: {
      ...secretOptions,
      keep: option(
        '--keep <number>',
        'write wajah-<time>.backup into the folder, then remove the oldest files of such names, but so many',
        wholeNumber(1, 10_000),
      ),
      plain: flag('--plain', 'copy the embedded database as it is, not sealed: names of people are readable'),
    },
  }),
  tool('verifyBackup', {
    name: 'backup verify',
    line: 'read a backup and compare every digest',
    about: 'read a backup and compare the digest of every table; nothing is written',
    arguments: { file: argument('<file>') },
    options: secretOptions,
  }),
  tool('restore', {
    name: 'restore',
    heading: data,
    line: 'restore a backup into the configured store',
    about: 'restore a backup into the configured store while no server runs; completely, or not at all',
    arguments: { file: argument('<file>') },
    options: {
      ...secretOptions,
      force: flag('--force', 'replace a store that holds clients; the former database file is kept'),
    },
  }),
  tool('migrateStore', {
    name: 'migrate-store',
    heading: data,
    line: 'copy everything from one store into another',
    about:
      'copy everything from one store into another while no server uses either; completely, or not at all',
    options: {
      from: required(
        '--from <store>',
        'a data directory, a postgres:// URL, or data or database for those of the settings',
      ),
      to: required('--to <store>', 'the same; it must be empty'),
    },
  }),
  tool('evaluate', {
    name: 'evaluate',
    heading: accuracy,
    line: 'measure the error rates of the pack in use',
    about: 'measure the accuracy of the pack in use on labelled pictures',
    arguments: {
      task: argument('<task>', `one of ${evaluationTasks.join(', ')}`, oneOf(evaluationTasks)),
    },
    options: {
      data: required('--data <folder>', 'labelled pictures in the layout of lab/README.md'),
      split: optionOr('test', '--split <split>', 'dev or test', split),
      plots: option('--plots <folder>', 'write the DET curves of verification there, as SVG'),
      out: option('--out <folder>', 'write the figures there as <task>-<split>.json'),
      species: option(
        '--species <names>',
        'sessions: parts of names of attack species, separated by commas',
        listOf,
      ),
      limit: option(
        '--limit <count>',
        'sessions: sessions of each attack species and, up to 4, of each film (default: 5)',
        countOf,
      ),
      frames: option('--frames <folder>', 'sessions: store generated frames there, and reuse them'),
      json,
    },
  }),
  tool('calibrate', {
    name: 'calibrate',
    heading: accuracy,
    line: 'fit similarity scores to your own people',
    about:
      'fit a calibration curve of similarity scores to the people of the galleries, or to pictures of people, and install it',
    options: {
      data: option('--data <folder>', 'labelled pictures, or one folder of pictures for each person'),
      /** True: of all galleries. */
      gallery: option(
        '--gallery [facegallery_id]',
        'the enrolled people: of this gallery of the client, or of all galleries; with --data, the gallery to install for',
        (given: string): string | true => given,
      ),
      client: option('--client <client_id>', 'the client of the gallery'),
      split: optionOr('dev', '--split <split>', 'dev or test, of labelled pictures', split),
      install: option('--install <place>', 'server, or gallery for that of --gallery', place),
      remove: option('--remove <place>', 'remove the installed curve instead of fitting one', place),
      json,
    },
  }),
] as const;
