import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { executableOf } from '../support/executable.ts';

const places = [process.env['FIREFOX'], '/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Path of an installed Firefox; tests that need one are skipped when it is undefined. */
export const firefoxPath = executableOf(places);

/** A Firefox without a window. */
export interface Firefox {
  goto(url: string): Promise<void>;
  /** The value, or what its promise resolves to, of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

/**
 * Starts Firefox and drives it by Marionette, its own WebDriver protocol over TCP: playwright-core cannot, as it sends
 * commands that released versions of Firefox lack.
 * @param folder an empty one, for its profile
 */
export async function launchFirefox(folder: string): Promise<Firefox> {
  writeFileSync(join(folder, 'user.js'), 'user_pref("marionette.port", 0);\n');
  const args = ['--headless', '--marionette', '--no-remote', '--profile', folder];
  const program = spawn(firefoxPath!, args, { stdio: 'ignore', env: { ...process.env, HOME: folder } });
  const socket = await connected(folder, program);
  const send = commands(socket);
  await send('WebDriver:NewSession', { strictFileInteractability: false });
  await send('WebDriver:SetTimeouts', { script: 10 * 60_000, pageLoad: 5 * 60_000 });
  return {
    goto: async (url) => void (await send('WebDriver:Navigate', { url })),
    async evaluate<T>(expression: string) {
      const script = `const [done] = arguments; Promise.resolve(${expression}).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
      // Without a sandbox the script sees the page as its own scripts do.
      const answer = await send('WebDriver:ExecuteAsyncScript', { script, args: [], sandbox: null });
      const { value, error } = (answer as { value: { value: T; error?: string } }).value;
      if (error !== undefined) throw new Error(error);
      return value;
    },
    async close() {
      if (program.exitCode !== null || program.signalCode !== null) return;
      const ended = once(program, 'exit');
      await send('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => program.kill('SIGKILL'));
      socket.destroy();
      await ended;
    },
  };
}

/** Firefox writes the port that it listens on into its profile; what is read may be a part of it. */
async function connected(folder: string, program: ChildProcess): Promise<Socket> {
  const file = join(folder, 'MarionetteActivePort');
  for (;;) {
    if (program.exitCode !== null) throw new Error(`Firefox ended with ${program.exitCode}`);
    const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    const socket = port > 0 && (await connectedTo(port));
    if (socket) return socket;
    await sleep(100);
  }
}

async function connectedTo(port: number): Promise<Socket | undefined> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect').then(
    () => socket,
    () => undefined,
  );
}

type Answer = [type: 1, id: number, error: { message: string } | null, result: unknown];

/** Messages are JSON after their length in bytes: `[0, id, command, parameters]`, and `[1, id, error, result]`. */
function commands(socket: Socket) {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let received = Buffer.alloc(0);
  socket.on('data', (part) => {
    received = Buffer.concat([received, part]);
    for (;;) {
      const colon = received.indexOf(':');
      const end = colon + 1 + Number(received.subarray(0, Math.max(0, colon)));
      if (colon < 0 || received.length < end) return;
      const message = JSON.parse(received.subarray(colon + 1, end).toString()) as Answer;
      received = received.subarray(end);
      // The first message greets, and is no answer.
      if (!Array.isArray(message)) continue;
      const [, id, error, result] = message;
      if (error) waiting.get(id)?.reject(new Error(error.message));
      else waiting.get(id)?.resolve(result);
      waiting.delete(id);
    }
  });
  const fail = () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox closed the connection'));
    waiting.clear();
  };
  socket.on('close', fail).on('error', fail);
  let last = 0;
  return (command: string, parameters: object) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      const message = Buffer.from(JSON.stringify([0, id, command, parameters]));
      socket.write(Buffer.concat([Buffer.from(`${message.length}:`), message]));
    });
}
