import { createAuditStore } from './audit-store.ts';
import { createClientStore } from './client-store.ts';
import {
  createCropStore,
  createDifferentPeopleStore,
  createPictureStore,
  createSubjectStore,
} from './crop-store.ts';
import type { Database, Session } from './database/session.ts';
import { createFaceStore } from './face-store.ts';
import { createGalleryStore } from './gallery-store.ts';
import { createMetaStore } from './meta-store.ts';
import { createPackStore } from './pack-store.ts';
import { createPersonStore } from './person-store.ts';
import type { TableStores } from './ports/store.ts';
import { createReembeddingStore } from './reembedding-store.ts';
import { createScoreStore } from './score-store.ts';
import { createSealedStore } from './sealed-store.ts';
import { createFrameStore, createSessionStore } from './session-store.ts';
import { createTokenStore } from './token-store.ts';

/** The tables inside of a transaction. */
export function tablesInside(session: Session): TableStores {
  const { get, run } = session;
  const transaction = <T>(work: (inside: Session) => Promise<T>) => work(session);
  return createTableStores({
    ...session,
    transaction,
    count: get,
    returning: get,
    erase: run,
    purge: () => {},
  });
}

/** What a store keeps in tables, for both databases. */
export function createTableStores(db: Database): TableStores {
  return {
    clients: createClientStore(db),
    galleries: createGalleryStore(db),
    faces: createFaceStore(db),
    people: createPersonStore(db),
    crops: createCropStore(db),
    differentPeople: createDifferentPeopleStore(db),
    pictures: createPictureStore(db),
    subjects: createSubjectStore(db),
    reembedding: createReembeddingStore(db),
    sealed: createSealedStore(db),
    tokens: createTokenStore(db),
    meta: createMetaStore(db),
    packs: createPackStore(db),
    audit: createAuditStore(db),
    sessions: createSessionStore(db),
    frames: createFrameStore(db),
    scores: createScoreStore(db),
  };
}
