import { clientEndpoints } from './client.ts';
import type { Endpoint } from './endpoint.ts';
import { extensionEndpoints } from './extensions.ts';
import { faceEndpoints } from './face.ts';
import { livenessEndpoints } from './liveness.ts';
import { sessionEndpoints } from './session.ts';
import { systemEndpoints } from './system.ts';

/** Every endpoint by its id. */
export const endpoints = {
  ...clientEndpoints,
  ...faceEndpoints,
  ...livenessEndpoints,
  ...sessionEndpoints,
  ...systemEndpoints,
  ...extensionEndpoints,
};

/** The same as a list. */
export const endpointList: readonly Endpoint[] = Object.values(endpoints);
