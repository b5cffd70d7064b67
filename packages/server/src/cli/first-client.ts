import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { camelCased, endpoints } from '@wajah/contract';
import type { Logger } from 'pino';
import { uuidv7 } from 'uuidv7';
import { shellQuoted } from '../config/shell.ts';
import type { Terminal } from '../operations/terminal.ts';
import { writePrivateFile } from '../security/keys/private-file.ts';
import type { Context } from '../server/context.ts';
import { signInMinutes } from '../services/accounts/sign-in-links.ts';
import type { Caller } from '../services/caller.ts';
import { embeddingSpecText } from '../services/galleries/embedding-spec.ts';
import { markOf, sampleGalleryMark } from '../store/contents.ts';

/** Secrets of the first client, in the data directory, as assignments of a shell. */
const fileName = 'first-client.env';

interface FirstClient {
  readonly clientId: string;
  readonly password: string;
  readonly accessToken: string;
  /** Signs in to the console, once. */
  readonly link: string;
}

/**
 * Prints the secrets of the first client with a first call. Where notes go to a log, which many may read and which is
 * kept, the secrets are written to a file that only its owner can read, and the call takes them from there.
 */
export function introduceFirstClient(
  terminal: Terminal,
  { clientId, password, accessToken, link }: FirstClient,
  { url, dataDir }: { url: string; dataDir: string },
): void {
  const file = join(dataDir, fileName);
  const call = `curl -s ${url}/face-api/client/get-counters -H`;
  if (!terminal.showsNotes) {
    const secrets = { CLIENT_ID: clientId, PASSWORD: password, TOKEN: accessToken, SIGN_IN: link };
    const lines = Object.entries(secrets).map(([name, value]) => `${name}=${shellQuoted(value)}\n`);
    writePrivateFile(file, lines.join(''));
  }
  const lines = terminal.showsNotes
    ? [
        `Open this link to sign in. It works once, within ${signInMinutes} minutes:`,
        `  ${link}`,
        '',
        'There was no client yet, so one was created. This is shown only once:',
        `  client_id     ${clientId}`,
        `  password      ${password}`,
        `  access token  ${accessToken}`,
        '',
        'A first call from another terminal:',
        `  ${call} 'Accesstoken: ${accessToken}'; echo`,
      ]
    : [
        `There was no client yet, so ${clientId} was created. Its password, its access token and a link that signs in once`,
        `within ${signInMinutes} minutes are in`,
        `  ${file}`,
        'because this output is no terminal. Keep the password, then delete the file.',
        '',
        `Open ${url}/console and sign in with these; or try it in another terminal:`,
        `  . ${shellQuoted(file)} && ${call} "Accesstoken: $TOKEN"; echo`,
      ];
  terminal.note([...lines, ''].join('\n'));
}

/** The page that leads the browser to the link; browsers of packages read no hidden folder, and no `/tmp`. */
const pageName = 'sign-in.html';
/** A browser has read the page by then. */
const pageMs = 60_000;

/**
 * Opens the browser of this desktop, if it can. The arguments of a program can be read by every user of the machine, so
 * the browser gets a file that only this user can read, and which leads to the link.
 */
export function openBrowser(link: string, dataDir: string): void {
  const page = join(dataDir, pageName);
  const remove = () => rmSync(page, { force: true });
  writePrivateFile(page, `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">\n`);
  setTimeout(remove, pageMs).unref();
  process.once('exit', remove);
  // The program may stay open as long as the browser.
  const opened = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [page], {
    detached: true,
    stdio: 'ignore',
  });
  // Without the program the link is on the terminal.
  opened.on('error', () => undefined);
  opened.unref();
}

/** Sample pictures of the console, which show drawn people: one of each person. */
const samples = fileURLToPath(new URL('./dist/samples/', import.meta.resolve('@wajah/console/package.json')));
const people = [
  ['sri-1', 'sri', 'Sri Rahayu'],
  ['selfie', 'budi', 'Budi Santoso'],
  ['darma', 'darma', 'Darma Wijaya'],
  ['citra', 'citra', 'Citra Lestari'],
] as const;
const galleryName = 'samples';

/** The client that the first start creates. */
export const firstClientId = 'demo';

type Parts = Pick<Context, 'galleries' | 'enrolment' | 'store' | 'engine'>;

/** Enrols drawn people in a gallery of their own, to try the console with. A failure is logged, and is no failure of the start. */
export async function createSampleGallery(
  { galleries, enrolment, store }: Parts,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  const gallery = { facegallery_id: galleryName };
  try {
    const caller = firstCaller();
    await galleries.create(caller, camelCased(endpoints.createGallery.request.parse(gallery)));
    for (const [file, user_id, user_name] of people) {
      const image = (await readFile(join(samples, `${file}.jpg`))).toString('base64');
      const person = { ...gallery, user_id, user_name, image };
      await enrolment.enrol(caller, camelCased(endpoints.enrolFace.request.parse(person)));
    }
    const made = await store.galleries.get(firstClientId, galleryName);
    if (made) await store.meta.set(sampleGalleryMark, markOf(made));
  } catch (err) {
    logger.warn({ err }, 'the gallery `samples` was not made, or not all of its people');
  }
}

/** Makes the gallery anew where it is as it was made, and of another model pack than that of the server. */
export async function renewSampleGallery(parts: Parts, logger: Pick<Logger, 'warn'>): Promise<void> {
  const { galleries, store, engine } = parts;
  const made = await store.galleries.get(firstClientId, galleryName);
  if (made?.embeddingSpec == null || made.embeddingSpec === embeddingSpecText(engine.embeddingSpec)) return;
  if ((await store.meta.get(sampleGalleryMark)) !== markOf(made)) return;
  await galleries.remove(firstCaller(), { facegalleryId: galleryName });
  await createSampleGallery(parts, logger);
}

const firstCaller = (): Caller => ({
  clientId: firstClientId,
  trxId: uuidv7(),
  signal: new AbortController().signal,
});
