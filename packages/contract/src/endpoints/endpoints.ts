import type { z } from 'zod';
import { accountExtensions, clientEndpoints } from './account.ts';
import { detectExtensions } from './detection.ts';
import type { Definition, OwnEndpoint } from './endpoint.ts';
import { faceEndpoints, faceExtensions } from './faces.ts';
import { duplicateExtensions, galleryEndpoints, galleryExtensions } from './galleries.ts';
import { installationEndpoints } from './installation.ts';
import { livenessEndpoints } from './liveness.ts';
import { operationExtensions } from './operation.ts';
import { peopleExtensions } from './people.ts';
import { recognitionEndpoints } from './recognition.ts';
import { auditExtensions, processingExtensions, refusalExtensions } from './records.ts';
import { sessionEndpoints } from './sessions.ts';
import { passwordExtensions, statusExtensions, systemEndpoints } from './system.ts';
import { webhookExtensions } from './webhooks.ts';

const { deleteFace, ...enrolmentEndpoints } = faceEndpoints;
const { compareImages, ...galleryRecognition } = recognitionEndpoints;

/** All endpoints by id, in the order of the API documentation: those of the specification first. */
export const endpoints = withIds({
  ...clientEndpoints,
  ...galleryEndpoints,
  ...enrolmentEndpoints,
  ...galleryRecognition,
  deleteFace,
  compareImages,
  ...livenessEndpoints,
  ...sessionEndpoints,
  ...systemEndpoints,
  ...detectExtensions,
  ...galleryExtensions,
  ...duplicateExtensions,
  ...accountExtensions,
  ...refusalExtensions,
  ...passwordExtensions,
  ...statusExtensions,
  ...auditExtensions,
  ...operationExtensions,
  ...faceExtensions,
  ...peopleExtensions,
  ...processingExtensions,
  ...webhookExtensions,
});

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
