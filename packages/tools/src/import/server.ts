import {
  type AnyWajahError,
  createWajahClient,
  type Gallery,
  isWajahError,
  type WajahClient,
} from '@wajah/client';
import { normaliseName } from '@wajah/contract';
import {
  type CommandDeps,
  loadConfig,
  OperatorError,
  type Terminal,
  type ToolCommands,
} from '@wajah/server/commands';

/** The server that people are enrolled at. */
export interface Server {
  readonly wajah: WajahClient;
  readonly gallery: Gallery;
  /**
   * The gallery in words that are of no other one, however it is called: names recur, at other servers and of other clients.
   * @throws WajahError
   */
  placeOf(): Promise<string>;
  /** What is said of an error of its calls; other errors are returned unchanged. */
  refusalOf(error: unknown): unknown;
}

/** Works with the server that people are enrolled at. */
export type AtServer = (work: (server: Server) => Promise<void>) => Promise<void>;

/** A call that hangs, milliseconds; the first one shows whether the address is right. */
const timeoutMs = 120_000;
const firstTimeoutMs = 15_000;

type Address = Pick<Parameters<ToolCommands['importFolder']>[1], 'gallery' | 'url' | 'token' | 'client'>;

/** @throws OperatorError when the options do not name a server */
export async function serverOf(
  { terminal, callAsOperator, env }: CommandDeps,
  { gallery, url, token: given, client }: Address,
): Promise<AtServer> {
  const options = { timeoutMs, retries: 20 };
  const of = (wajah: WajahClient): Server => ({
    wajah,
    gallery: wajah.gallery(gallery),
    async placeOf() {
      const { facegalleries } = await wajah.describeGalleries();
      const name = normaliseName(gallery);
      const found = facegalleries.find(({ facegallery_id }) => facegallery_id === name);
      const created = found ? `created ${found.created_at}` : 'which is not there';
      const at = url === undefined ? `${client} in ${loadConfig(env).dataDir}` : baseOf(url);
      return `the gallery ${JSON.stringify(name)}, ${created}, of ${at}`;
    },
    refusalOf: (error) => (isWajahError(error) ? refusalOf(url ?? 'the server', error) : error),
  });
  if (url === undefined) {
    if (client === undefined)
      throw new OperatorError(
        '--client is missing: the client that the gallery belongs to (or --url and --token)',
      );
    const local = 'http://localhost';
    return (work) =>
      callAsOperator((_, send) => {
        const fetch: typeof send = (url, init) => {
          const headers = new Headers(init?.headers);
          headers.set('x-client', client);
          return send(url, { ...init, headers });
        };
        return work(of(createWajahClient({ url: local, token: client, fetch, ...options })));
      });
  }
  if (client !== undefined) throw new OperatorError('--client is not used with --url: the token names it');
  const token = given === '-' ? await terminal.readLine() : given;
  if (token === undefined)
    throw new OperatorError('--token is missing: an API token with the scopes enrol and read');
  requireUrl('--url', url);
  return async (work) => {
    await requireAnswer(
      createWajahClient({ url, token, timeoutMs: firstTimeoutMs, retries: 0 }),
      gallery,
      url,
    );
    await work(of(createWajahClient({ url, token, fetch: sayingFailures(terminal), ...options })));
  };
}

/** @throws OperatorError */
export function requireUrl(option: string, url: string): void {
  if (URL.canParse(url) && /^https?:/.test(url)) return;
  throw new OperatorError(`${option}: found ${JSON.stringify(url)}; allowed is http://… or https://…`);
}

/** An address in one of its spellings. */
const baseOf = (url: string) => `${new URL(url).origin}${new URL(url).pathname}`.replace(/\/+$/, '');

export const noTls = 'it speaks no TLS; is it http://?';

/** Later a server that does not answer may restart, and is waited for. @throws OperatorError when nothing of Wajah answers */
async function requireAnswer(wajah: WajahClient, facegallery_id: string, url: string): Promise<void> {
  await wajah.listFaces({ facegallery_id, limit: 1 }).catch((error: unknown) => {
    if (!isWajahError(error)) throw error;
    const isWrong = ['network', 'timeout', '404'].includes(error.status);
    if (isWrong || (error.status === 'unexpected' && !error.retryable)) throw refusalOf(url, error);
  });
}

/** Calls that fail are repeated: the first of them is said at once. */
function sayingFailures({ note }: Pick<Terminal, 'note'>): typeof fetch {
  let isSaid = false;
  return async (url, init) => {
    try {
      const answer = await fetch(url, init);
      isSaid = false;
      return answer;
    } catch (error) {
      const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string };
      if (!isSaid) note(`The server does not answer (${code ?? message}); it is called again for 5 minutes.`);
      isSaid = true;
      throw error;
    }
  };
}

function refusalOf(url: string, error: AnyWajahError): OperatorError {
  const { status, detail } = error;
  const isSilent = status === 'network' || status === 'timeout' || status === 'unexpected';
  const advice = status === '404' ? '; --url is the address before /face-api' : '';
  return new OperatorError(
    isSilent
      ? `${url} does not answer (${reasonOf(error)})`
      : `the server refuses the import: ${detail} (status ${status})${advice}`,
    { cause: error },
  );
}

/** Why a call got no answer of Wajah; what failed in `fetch` is the cause of its error. */
function reasonOf({ detail, cause }: AnyWajahError): string {
  const { code, message } = ((cause as Error | undefined)?.cause ?? {}) as NodeJS.ErrnoException;
  return code === 'ERR_SSL_WRONG_VERSION_NUMBER' ? noTls : message || code || detail;
}
