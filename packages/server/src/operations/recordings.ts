import { z } from 'zod';
import { OperatorError } from '../errors.ts';
import { attackSpecies } from '../services/recordings/judgement.ts';
import {
  type Answer,
  argument,
  call,
  command,
  confirmed,
  flag,
  json,
  oneOf,
  operation,
  option,
  share,
  tool,
  yes,
} from './command.ts';

/** A recorded session, sealed. */
export type SealedRecording = Answer<typeof listRecordings>[number];

const listRecordings = operation('listRecordings', {
  input: z.object({ after: z.string(), limit: z.int().min(1).max(1000) }),
  act: null,
  /** In order of time, without pictures. */
  run: ({ store }, page) => store.recordings.list(page),
});

/** Recorded liveness sessions. */
export const recordingOperations = [
  listRecordings,
  operation('recordedParts', {
    /** A part is up to 128 KiB. */
    input: z.object({ id: z.string(), after: z.int().min(-1), limit: z.int().min(1).max(32) }),
    // The first part of the pictures of a session.
    act: ({ id, after }) => (after === -1 ? [null, { session_id: id }] : null),
    run: ({ store }, { id, ...page }) => store.recordings.parts(id, page),
  }),
] as const;

const labelRecording = operation('labelRecording', {
  /** Species: of an attack. */
  input: z.object({
    id: z.string(),
    label: z.enum(['bona_fide', 'attack']),
    species: z.enum(attackSpecies).nullable(),
  }),
  act: ({ id, label }) => [null, { session_id: id, label }],
  run: async ({ store }, { id, label, species }) => {
    if (await store.recordings.label(id, label, species)) return;
    throw new OperatorError(`${id}: no session of this id is recorded`);
  },
});

const eraseRecordings = operation('eraseRecordings', {
  /** Recordings that meet every condition that is not null; none is given: all. */
  input: z.object({
    id: z.string().nullable(),
    clientId: z.string().nullable(),
    /** Name that the client gave to the person: subject or user_id of its sessions. */
    subject: z.string().nullable(),
  }),
  act: ({ clientId }) => [clientId, {}],
  /** @returns how many */
  run: async ({ recordings, store }, { id, clientId, subject }) => {
    const narrowed = { ...(id !== null && { id }), ...(clientId !== null && { clientId }) };
    if (subject === null) return recordings.erase(narrowed);
    const { normaliseName } = await import('@wajah/contract');
    // Names of people are those of a client.
    const owners = clientId === null ? (await store.clients.list()).map((one) => one.clientId) : [clientId];
    let erased = 0;
    for (const owner of owners) {
      const named = { clientId: owner, subject: normaliseName(subject) };
      erased += await recordings.erase({ ...narrowed, owner: named });
    }
    return erased;
  },
});

const client = option('--client <client_id>', 'only the sessions of this client');

/** Recorded liveness sessions. */
export const sessionCommands = [
  command({
    name: 'sessions',
    heading: 'Accuracy:',
    line: 'label, export and evaluate recorded sessions',
    about:
      'label recorded liveness sessions and measure error rates with them (WAJAH_RECORD_SESSIONS); see docs/dev/measuring-liveness.md',
  }),
  tool('listSessions', {
    name: 'sessions list',
    about: 'list the recorded sessions, without pictures',
    options: { unlabelled: flag('--unlabelled', 'only those without a label'), json, client },
  }),
  call({
    name: 'sessions label',
    about: 'say what a recorded session was',
    arguments: {
      id: argument('<session_id>'),
      label: argument('<label>', 'bona_fide or attack', oneOf(['bona_fide', 'attack'])),
    },
    options: {
      species: option(
        '--species <species>',
        `of an attack: ${attackSpecies.join(', ')}`,
        oneOf(attackSpecies),
      ),
    },
    calls: labelRecording,
    read: ({ id, label, species }) => {
      if (label === 'attack' && species === undefined) {
        throw new OperatorError(`An attack needs --species: ${attackSpecies.join(', ')}.`);
      }
      if (label === 'bona_fide' && species !== undefined)
        throw new OperatorError('--species is of an attack.');
      return { id, label, species: species ?? null };
    },
    print: (_, { id, label, species }, { out }) =>
      out(`${id}: ${[label, species].filter(Boolean).join(' ')}`),
  }),
  tool('exportSessions', {
    name: 'sessions export',
    line: 'write the pictures of labelled sessions',
    about: 'write the pictures of labelled sessions, decrypted, as a folder that `wajah evaluate` reads',
    arguments: {
      folder: argument('<folder>', 'a new or empty folder; only this user can read what is written'),
    },
    options: { client },
  }),
  tool('evaluateSessions', {
    name: 'sessions evaluate',
    line: 'APCER and BPCER of the labelled sessions',
    about: 'APCER by species and BPCER of the labelled sessions, and the thresholds that follow',
    options: {
      threshold: option(
        '--threshold <score>',
        'spoof threshold to measure; default: the one in force',
        share,
      ),
      json,
      client,
    },
  }),
  call({
    name: 'sessions erase',
    about: 'erase recorded sessions',
    options: {
      subject: option('--subject <name>', 'of this person: subject or user_id of the sessions'),
      session: option('--session <session_id>', 'this one'),
      all: flag('--all', 'all of them'),
      yes,
      client,
    },
    calls: eraseRecordings,
    read: async ({ client, subject, session, all, yes }, terminal) => {
      const named = [
        ...(session === undefined ? [] : [`session ${session}`]),
        ...(subject === undefined ? [] : [`of ${subject}`]),
        ...(client === undefined ? [] : [`of client ${client}`]),
      ];
      if (named.length === 0 && !all) {
        throw new OperatorError('Name --subject, --session or --client, or erase --all.');
      }
      const which = named.join(', ') || 'all';
      await confirmed(terminal, yes, `Erase the recorded sessions: ${which}? This cannot be undone.`);
      return { id: session ?? null, clientId: client ?? null, subject: subject ?? null };
    },
    print: (erased, _, { out }) => out(`Erased ${erased} recorded sessions.`),
  }),
] as const;
