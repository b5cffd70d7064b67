import type { Feature } from '../../feature.ts';
import { auditCommands, auditOutputs } from './commands.ts';

export const audit: Feature = {
  commands: { own: auditCommands, outputs: auditOutputs },
  open: async () => ({ mount: (await import('./routes.ts')).auditRoutes }),
};
