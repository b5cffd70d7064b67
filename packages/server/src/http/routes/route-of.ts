import type { Endpoint } from '@wajah/contract';
import { largestBody } from '../bodies/body-reader.ts';

/**
 * Method, path, body limit, and the endpoint for plugins.
 * @param imageBytes of the largest picture: a body has as many as its endpoint takes
 */
export function routeOf(endpoint: Endpoint, imageBytes = 0) {
  return {
    method: [...endpoint.methods],
    url: endpoint.path,
    bodyLimit: largestBody(imageBytes, endpoint.pictures),
    config: { endpoint },
  };
}
