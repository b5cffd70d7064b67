import type { Endpoint } from './endpoints/endpoint.ts';

/** What an API token may do. A token of a password may do everything. */
export const scopes = ['recognise', 'enrol', 'read', 'pictures', 'manage'] as const;

export type Scope = (typeof scopes)[number];

/** What each scope opens, as the documentation says it. */
export const scopeMeanings: Readonly<Record<Scope, string>> = {
  recognise: 'detect, verify, identify, compare, and judge liveness',
  enrol: 'enrol and delete faces',
  read: 'list galleries and faces, read counters, activity and status',
  pictures: 'see the pictures that are kept of enrolled faces, where the operator has them kept',
  manage: 'create, change and delete galleries and tokens, register and erase the client',
};

const scopeByEndpoint: Readonly<Record<string, Scope>> = {
  enrolFace: 'enrol',
  enrolFaceKtp: 'enrol',
  deleteFace: 'enrol',
  verifyFace: 'recognise',
  identifyFace: 'recognise',
  compareImages: 'recognise',
  detectFaces: 'recognise',
  verifyLiveness: 'recognise',
  verifyLivenessBatch: 'recognise',
  createLivenessSession: 'recognise',
  submitLivenessSession: 'recognise',
  getCounters: 'read',
  listGalleries: 'read',
  listFaces: 'read',
  describeGalleries: 'read',
  getFaceCrop: 'pictures',
  getActivity: 'read',
  getStatus: 'read',
};

/** The scope that a token needs for an endpoint; what is not listed needs the most. */
export function scopeOf({ id }: Pick<Endpoint, 'id'>): Scope {
  return scopeByEndpoint[id] ?? 'manage';
}
