import { OperatorError } from '../errors.ts';
import { flag, option, required, tool } from './command.ts';

/** Options that name galleries. */
const selectionOptions = {
  client: option('--client <client_id>', 'only the galleries of this client'),
  gallery: option('--gallery <facegallery_id>', 'only this gallery of the client'),
};

function packName(given: string): string {
  if (/^[a-z0-9][a-z0-9-]*$/.test(given)) return given;
  throw new OperatorError('Allowed: builtin, or a name that `models list` shows.');
}

/** Templates of another pack. */
export const migrationCommands = [
  tool('reembed', {
    name: 'reembed',
    heading: 'Stored data:',
    line: 'migrate templates to another model pack',
    about:
      'prepare templates of another model pack, computed from the stored face crops while the server keeps ' +
      'using the current ones; a server that starts with the pack switches; resumable',
    options: {
      to: required('--to <pack>', 'builtin, or the name of an installed pack', packName),
      leaveOut: flag(
        '--leave-out',
        'delete the faces that no template can be computed for, so that their gallery can switch',
      ),
      ...selectionOptions,
    },
  }),
] as const;
