import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { atEnd } from '../../packages/server/test/support/temporary.ts';
import { wajah } from './program.ts';

/** Asks this process for the command; `import` waits for signals and needs a process of its own. */
const shim = (socket: string, program: string) => `#!/bin/sh
[ "$1" = import ] && exec '${program}' "$@"
answer=$(jq -n '{args: $ARGS.positional, env: $ENV}' --args -- "$@" | curl -sf --unix-socket '${socket}' -d @- http://wajah/)
printf %s "$answer" | jq -j .err >&2
printf %s "$answer" | jq -j .out
exit "$(printf %s "$answer" | jq .code)"
`;

/**
 * A folder for the PATH of a shell with `wajah` and `npx`, whose commands this process carries out: to start the program
 * or npm takes longer than most commands.
 * @param program the program itself
 * @returns the folder; the service ends with the test or file
 */
export async function quickCommands(parent: string, program: string) {
  const folder = join(parent, 'quick');
  const socket = join(parent, 'quick.socket');
  mkdirSync(folder);
  writeFileSync(join(folder, 'npx'), '#!/bin/sh\n[ "$1" = --no ] && shift\nexec "$@"\n', { mode: 0o755 });
  writeFileSync(join(folder, 'wajah'), shim(socket, program), { mode: 0o755 });
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request)) as { args: string[]; env: Record<string, string> };
    const settings = Object.entries(asked.env).filter(([name]) => name.startsWith('WAJAH_'));
    const { code, out, err } = await wajah(Object.fromEntries(settings), ...asked.args);
    response.end(JSON.stringify({ code, out, err }));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  atEnd(() => server.close());
  return folder;
}
