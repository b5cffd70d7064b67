import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveHttp } from '../../packages/server/test/support/http-server.ts';

/**
 * Answers the two calls by which pictures are fetched from CompreFace as its documentation describes them, with the
 * folders below `folder` as subjects, until the test or file ends. @returns its URL
 */
export async function openCompreFace(folder: string, key: string): Promise<string> {
  const examples = readdirSync(folder)
    .flatMap((subject) => readdirSync(join(folder, subject)).map((file) => ({ subject, file })))
    .map((example, index) => ({ ...example, image_id: `6b135f5b-a365-4522-b1f1-00000000000${index}` }));
  const fileOf = ({ subject, file }: (typeof examples)[0]) => join(folder, subject, file);
  const { url } = await serveHttp((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://compreface');
    const wanted = examples.find(({ image_id }) => pathname === `/api/v1/recognition/faces/${image_id}/img`);
    if (request.headers['x-api-key'] !== key) response.writeHead(401).end();
    else if (wanted && existsSync(fileOf(wanted))) response.end(readFileSync(fileOf(wanted)));
    else if (pathname === '/api/v1/recognition/faces')
      response.end(JSON.stringify(pageOf(examples, searchParams)));
    else response.writeHead(404).end();
  });
  return url;
}

/** The service returns two at a time, whatever page size is requested, so that there are several pages. */
function pageOf(examples: readonly { image_id: string; subject: string }[], query: URLSearchParams) {
  const [page, size] = [Number(query.get('page')), 2];
  return {
    faces: examples
      .slice(page * size, (page + 1) * size)
      .map(({ image_id, subject }) => ({ image_id, subject })),
    page_number: page,
    page_size: size,
    total_pages: Math.ceil(examples.length / size),
    total_elements: examples.length,
  };
}
