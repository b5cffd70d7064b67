import { describe, it } from 'vitest';
import { installations } from '../support/installations.ts';
import { backupsAreWhole } from './kills/backups.ts';
import { directoryIsFree, migrationIsCompleted } from './kills/data-directory.ts';
import { everybodyIsEnrolledOnce } from './kills/imports.ts';
import { keysAreRotated } from './kills/keys.ts';
import { callsAreCounted, callsAreCountedInFaults } from './kills/mixed-load.ts';
import { expectWhole, newPlace, type Place, type StoreKind } from './kills/place.ts';
import { reembeddingResumes } from './kills/reembedding.ts';
import { writesAreKept } from './kills/store-writes.ts';
import { eventsAreSent } from './kills/webhooks.ts';
import { workersAreReplaced } from './kills/workers.ts';

/** What is killed with SIGKILL, when, and what must hold afterwards. */
type Row = readonly [
  part: string,
  moment: string,
  holds: string,
  stores: readonly StoreKind[],
  check: (place: Place) => Promise<void>,
];

const file: readonly StoreKind[] = ['SQLite'];
const both: readonly StoreKind[] = ['SQLite', 'PostgreSQL'];
const shared: readonly StoreKind[] = ['PostgreSQL'];

const rows: readonly Row[] = [
  ['an owner of a data directory', 'at rest', 'the directory is free', file, directoryIsFree],
  ['writers', 'while 8 write', 'no acknowledged write is lost, counters match', both, writesAreKept],
  ['a migration', 'before the commit of a step', 'the next completes it', both, migrationIsCompleted],
  [
    'a replacement of the master key',
    'amid its transaction',
    'one key opens everything',
    both,
    keysAreRotated,
  ],
  [
    'a backup, a restore',
    'at the begin and anywhere',
    'nothing half is left, and the next is complete',
    both,
    backupsAreWhole,
  ],
  ['an import of a folder', 'three times', 'everybody is enrolled once', file, everybodyIsEnrolledOnce],
  [
    'a reembedding',
    'after its first batch',
    'the gallery is refused until the next makes what is missing',
    both,
    reembeddingResumes,
  ],
  [
    'a server that sends webhooks',
    'at the first answer of each kind of call',
    'no event of an answered call is lost',
    both,
    eventsAreSent,
  ],
  [
    'a server',
    'under calls of all kinds',
    'nothing acknowledged is lost, each answered call is counted once',
    both,
    callsAreCounted,
  ],
  [
    'a database',
    'or stopped for a while, under a server with calls of all kinds',
    'nothing acknowledged is lost, each answered call is counted once',
    shared,
    callsAreCountedInFaults,
  ],
  [
    'a worker',
    'or stopped, one after the other, under three callers',
    'one call fails at most, the others are answered',
    process.platform === 'linux' ? file : [],
    workersAreReplaced,
  ],
];

const isHere = (kind: StoreKind) => installations.some(([name]) => name === kind);

describe.each(rows)('%s, killed %s: %s', (...[, , , stores, check]) => {
  it.each(stores.filter(isHere))('%s', async (kind) => {
    const place = await newPlace(kind);
    await check(place);
    await place.free();
    await expectWhole(place);
  });
});
