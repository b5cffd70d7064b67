import type { Endpoint } from './endpoint.ts';
import { clientEndpoints } from './endpoints-client.ts';
import { extensionEndpoints } from './endpoints-extensions.ts';
import { faceEndpoints } from './endpoints-face.ts';
import { livenessEndpoints } from './endpoints-liveness.ts';
import { sessionEndpoints } from './endpoints-session.ts';
import { systemEndpoints } from './endpoints-system.ts';

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
