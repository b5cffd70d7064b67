import { join } from 'node:path';
import { writePrivateFile } from '../../security/keys/private-file.ts';
import type { Terminal } from '../terminal.ts';

/** Secrets of the first client, in the data directory, as assignments of a shell. */
const fileName = 'first-client.env';

interface FirstClient {
  readonly clientId: string;
  readonly password: string;
  readonly accessToken: string;
}

/**
 * Prints the secrets of the first client with a first call. Where notes go to a log, which many may read and which is
 * kept, the secrets are written to a file that only its owner can read, and the call takes them from there.
 */
export function introduceFirstClient(
  terminal: Terminal,
  { clientId, password, accessToken }: FirstClient,
  { url, dataDir }: { url: string; dataDir: string },
): void {
  const file = join(dataDir, fileName);
  const call = `curl -s ${url}/face-api/client/get-counters -H`;
  if (!terminal.showsNotes) {
    writePrivateFile(file, `CLIENT_ID='${clientId}'\nPASSWORD='${password}'\nTOKEN='${accessToken}'\n`);
  }
  const lines = terminal.showsNotes
    ? [
        'There was no client yet, so one was created. This is shown only once:',
        `  client_id     ${clientId}`,
        `  password      ${password}`,
        `  access token  ${accessToken}`,
        '',
        `Open ${url}/console and sign in with these; or try it in another terminal:`,
        `  ${call} 'Accesstoken: ${accessToken}'`,
      ]
    : [
        `There was no client yet, so ${clientId} was created. Its password and access token are in`,
        `  ${file}`,
        'because this output is no terminal. Keep the password, then delete the file.',
        '',
        `Open ${url}/console and sign in with these; or try it in another terminal:`,
        `  . '${file}' && ${call} "Accesstoken: $TOKEN"`,
      ];
  terminal.note([...lines, ''].join('\n'));
}
