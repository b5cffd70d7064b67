import { maxTemplates } from '@wajah/contract/values';
import { argument, command, flag, oneOf, option, required, tool, wholeNumber } from './command.ts';

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
  pictures: option(
    '--pictures <number>',
    `pictures of a person at most, 1 to ${maxTemplates}`,
    wholeNumber(1, maxTemplates),
    maxTemplates as number,
  ),
  replace: flag('--replace', 'replace the templates of people who are enrolled already'),
  duplicates: option(
    '--duplicates <way>',
    'refuse: do not enrol a person whose face looks like that of another one',
    oneOf(['refuse']),
  ),
  force: flag(
    '--force',
    "enrol faces below the minimum size, and pictures that differ from the person's others",
  ),
  checkQuality: flag('--check-quality', 'refuse faces that fail a quality rule'),
  checkSingleFace: flag('--check-single-face', 'refuse pictures with more than one face'),
  dryRun: flag('--dry-run', 'read every picture and send none'),
  report: option(
    '--report <file>',
    'write a line for each picture: CSV if it ends in .csv, else JSON lines; continued',
  ),
  parallel: option('--parallel <number>', 'people sent at once', wholeNumber(1, 64), 4),
  journal: option(
    '--journal <file>',
    'who was sent completely, for a resumed import',
    undefined,
    'wajah-import.journal',
  ),
};

/** Many people are enrolled, by calls of the API. */
export const importCommands = [
  command({
    name: 'import',
    heading: 'Stored data:',
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
        'UTF-8; paths are relative to its folder; further rows of a user_id are further pictures',
      ),
    },
    options: importOptions,
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
] as const;
