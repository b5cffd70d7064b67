import { featureTasks } from '../features/named.ts';
import { translated } from './translated.ts';

/** The headings of the API reference, and the endpoints below each by operationId: what is built first comes first. */
export const tasks: Readonly<Record<string, readonly string[]>> = {
  Recognise: ['identifyFace', 'verifyFace', 'compareImages', 'detectFaces'],
  Enrol: [
    'enrolFace',
    'enrolFaceKtp',
    'listFaces',
    'describeFace',
    'updateFace',
    'getFaceCrop',
    'getFaceThumbnails',
    'getFacePictures',
    'deleteFacePicture',
    'mergeFaces',
    'deleteFace',
  ],
  Liveness: [
    'createLivenessSession',
    'beginLivenessSession',
    'hintLivenessFrame',
    'sendLivenessFrame',
    'submitLivenessSession',
    'getLivenessSession',
    'verifyLiveness',
    'verifyLivenessBatch',
  ],
  Galleries: [
    'createGallery',
    'listGalleries',
    'describeGalleries',
    'updateGallery',
    'getGalleryScores',
    'deleteGallery',
  ],
  Privacy: [
    'updatePerson',
    'suspendPerson',
    'resumePerson',
    'exportPerson',
    'erasePerson',
    'listExpiring',
    'getProcessingRecords',
  ],
  Tokens: [
    'clientToken',
    'token',
    'revokeToken',
    'changePassword',
    'createApiToken',
    'listApiTokens',
    'revokeApiToken',
    'jwks',
  ],
  ...featureTasks,
  Server: [
    'health',
    'ready',
    'openapi',
    'getStatus',
    'getAudit',
    'listClients',
    'createClient',
    'setClientQuota',
    'resetClientPassword',
    'eraseClient',
  ],
  Client: ['register', 'deleteClient', 'getCounters'],
};

const names = Object.fromEntries(Object.keys(tasks).map((name) => [name, name]));

export const taskNames = translated('tasks', names);
