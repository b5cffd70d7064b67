import { OperatorError } from '../../../errors.ts';
import { type ImportSource, type ListedPicture, peopleOf } from '../people.ts';
import { tooLarge } from './picture-file.ts';

interface FacesPage {
  readonly faces: readonly { readonly image_id: string; readonly subject: string }[];
  readonly total_pages: number;
}

const pageSize = 1000;
const timeoutMs = 60_000;

/**
 * The faces of a recognition service of CompreFace, by its REST API: the list of faces (image_id and subject), then each
 * picture. The name of a subject is user_id and user_name.
 * @param address of CompreFace, such as http://localhost:8000
 * @param key API key of the recognition service
 * @throws OperatorError when it does not answer as documented
 */
export async function openCompreFaceApi(
  address: string,
  key: string,
  perPerson: number,
  maxBytes: number,
): Promise<ImportSource> {
  const base = `${address.replace(/\/+$/, '')}/api/v1/recognition/faces`;
  const listed: ListedPicture[] = [];
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const answer = await get(`${base}?page=${page}&size=${pageSize}`, key).catch((error: unknown) => {
      throw new OperatorError(`CompreFace at ${address}: ${error instanceof Error ? error.message : error}`);
    });
    const { faces, total_pages: total } = requirePage(address, await answer.json().catch(() => null));
    pages = total;
    for (const { image_id: id, subject } of faces) {
      listed.push({
        userId: subject,
        userName: subject,
        file: id,
        read: () => readImage(`${base}/${encodeURIComponent(id)}/img`, key, maxBytes),
      });
    }
  }
  return { ...peopleOf(listed, perPerson), close: async () => undefined };
}

function requirePage(address: string, answer: unknown): FacesPage {
  const page = answer as Partial<FacesPage> | null;
  if (Array.isArray(page?.faces) && typeof page.total_pages === 'number') return page as FacesPage;
  throw new OperatorError(`CompreFace at ${address}: the list of faces has another form than documented`);
}

async function readImage(url: string, key: string, maxBytes: number): Promise<Uint8Array> {
  const answer = await get(url, key);
  const size = Number(answer.headers.get('content-length') ?? 0);
  if (size > maxBytes) throw new Error(tooLarge(size, maxBytes));
  return new Uint8Array(await answer.arrayBuffer());
}

/** @throws Error with a sentence */
async function get(url: string, key: string): Promise<Response> {
  const options = { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(timeoutMs) };
  const answer = await fetch(url, options).catch((error: Error) => {
    const { code } = (error.cause ?? error) as { code?: string };
    throw new Error(`it does not answer (${code ?? error.name})`, { cause: error });
  });
  if (answer.ok) return answer;
  const reason =
    answer.status === 401 || answer.status === 403 ? '; is it the API key of a recognition service?' : '';
  throw new Error(`HTTP ${answer.status}${reason}`);
}
