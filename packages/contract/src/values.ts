/** Values of the index that need no schema: threads and commands load them without zod and the endpoints. */
export { cutFraction, raiseThreshold } from './decimals.ts';
export { maxTemplates } from './person.ts';
export { ordinaryScopes, type Scope, scopes } from './scopes.ts';
export { sessionSteps } from './session-steps.ts';
export { webhookTypes } from './webhook-types.ts';
