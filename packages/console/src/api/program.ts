import { signal } from '@preact/signals';
import { wajah } from './wajah.ts';

/** How operators start the program on this server; its plain name until the server has said it. */
const program = signal('wajah');
let isAsked = false;

/** A command for the operator. @example commandText('client list'); // 'docker exec faces wajah client list' */
export function commandText(command: string): string {
  if (!isAsked) {
    isAsked = true;
    wajah.ready().then(
      (answer) => {
        program.value = answer.command;
      },
      // A server that is not ready keeps its name to itself.
      () => undefined,
    );
  }
  return `${program.value} ${command}`;
}
