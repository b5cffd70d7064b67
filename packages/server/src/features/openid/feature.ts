import type { Feature } from '../../feature.ts';
import { clientsHeading, command } from '../../operations/command.ts';
import { openidOutputs } from './commands.ts';

export const openid: Feature = {
  commands: {
    own: [
      command({
        name: 'openid',
        heading: clientsHeading,
        line: 'sign people in to apps with their faces',
        about: 'register apps that sign people in with their faces; see docs/openid.md',
      }),
    ],
    outputs: openidOutputs,
  },
  open: async (parts) => (await import('./open.ts')).openOpenid(parts),
};
