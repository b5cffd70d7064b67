import type { z } from 'zod';
import { featureEndpoints } from '../features/endpoints.ts';
import { accountExtensions, clientEndpoints } from './account.ts';
import { detectExtensions } from './detection.ts';
import type { Definition, OwnEndpoint } from './endpoint.ts';
import type { Fields } from './envelope.ts';
import { faceEndpoints, faceExtensions } from './faces.ts';
import { galleryEndpoints, galleryExtensions } from './galleries.ts';
import { installationEndpoints } from './installation.ts';
import { livenessEndpoints } from './liveness.ts';
import { operationExtensions } from './operation.ts';
import { peopleExtensions } from './people.ts';
import { recognitionEndpoints } from './recognition.ts';
import { sessionEndpoints } from './sessions.ts';
import { passwordExtensions, statusExtensions, systemEndpoints } from './system.ts';

const { deleteFace, ...enrolmentEndpoints } = faceEndpoints;
const { compareImages, ...galleryRecognition } = recognitionEndpoints;

const ofSpecification = {
  ...clientEndpoints,
  ...galleryEndpoints,
  ...enrolmentEndpoints,
  ...galleryRecognition,
  deleteFace,
  compareImages,
  ...livenessEndpoints,
};

/** Whether the specification has the endpoint. */
export const isSpecified = ({ id }: Pick<OwnEndpoint, 'id'>): boolean => Object.hasOwn(ofSpecification, id);

/** All endpoints by id, in the order of the API documentation: those of the specification first. */
export const endpoints = withIds({
  ...ofSpecification,
  ...sessionEndpoints,
  ...systemEndpoints,
  ...detectExtensions,
  ...galleryExtensions,
  ...accountExtensions,
  ...passwordExtensions,
  ...statusExtensions,
  ...operationExtensions,
  ...faceExtensions,
  ...peopleExtensions,
  ...featureEndpoints,
});

/** The fields of a request in camelCase. @example RequestOf<'verifyFace'> */
export type RequestOf<Id extends keyof AllEndpoints> = Fields<AllEndpoints[Id]['request']>;
type AllEndpoints = typeof endpoints & typeof operatorEndpoints;

/** All endpoints as a list, in the same order. */
export const endpointList: readonly OwnEndpoint[] = Object.values(endpoints);

/** Those of the operator of the installation, which are served on its socket alone. */
export const operatorEndpoints = withIds(installationEndpoints);

/** All endpoints with a command, in the order in which help lists them. */
export const commandEndpoints: readonly OwnEndpoint[] = [
  ...Object.values<OwnEndpoint>(operatorEndpoints),
  ...endpointList,
].filter(({ command }) => command !== undefined);

function withIds<Table extends Readonly<Record<string, Definition<z.ZodObject, z.ZodType>>>>(table: Table) {
  const entries = Object.entries(table).map(([id, definition]) => [id, { ...definition, id }]);
  return Object.fromEntries(entries) as { [Id in keyof Table]: Table[Id] & { readonly id: string } };
}
