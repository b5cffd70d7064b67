import type { ServerResponse } from 'node:http';
import { finished, Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { z } from 'zod';
import { Refusal } from '../../errors.ts';
import type { Listing, NamedListing } from '../../lib/pages.ts';

/** Long lists that a client reads at once: 500 whose reader had stopped took 821 MB. */
const mostLists = 32;

/** The further rows of a list in an answer, which are written while they are read. */
export class Rows<Row> {
  readonly pages: AsyncIterable<readonly Row[]>;
  /** Fields that follow the list, and are known when it is read. */
  readonly end: () => object;

  constructor(pages: AsyncIterable<readonly Row[]>, end: () => object) {
    this.pages = pages;
    this.end = end;
  }
}

/** The rows of a list for an answer: as they are, or as `Rows` when they are many. @param end as `Rows.end` */
export function rowsOf<Row, Shown>(
  { first, rest }: Listing<Row>,
  view: (row: Row) => Shown,
  end: () => object = () => ({}),
): Shown[] | Rows<Shown> {
  return rest === null ? first.map(view) : new Rows(viewed(first, rest, view), end);
}

/** The rows of a list for an answer, and what follows them there: `next_cursor` where a limit cut the list. */
export function pageOf<Row, Shown>({ nextCursor, ...listed }: NamedListing<Row>, view: (row: Row) => Shown) {
  const end = () => (nextCursor() === undefined ? {} : { next_cursor: nextCursor() });
  return { rows: rowsOf(listed, view, end), end: listed.rest === null ? end() : {} };
}

async function* viewed<Row, Shown>(
  first: readonly Row[],
  rest: AsyncIterable<readonly Row[]>,
  view: (row: Row) => Shown,
) {
  yield first.map(view);
  for await (const page of rest) yield page.map(view);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Number of the long lists that are written, by client. */
    longLists: Map<string | null, number>;
  }
  interface FastifyRequest {
    /** Rows that the answer has in its field, in which it has an empty list; null: none. */
    rows: { readonly field: string; readonly rows: Rows<unknown>; readonly row: z.ZodType } | null;
  }
}

/**
 * Leaves the rows of an answer to be written after it.
 * @param schema of the answer; absent: its rows are not checked
 * @returns the answer, with an empty list in their place
 * @throws Refusal `busy` when the client reads too many long lists
 */
export function withoutRows(request: FastifyRequest, answer: object, schema?: z.ZodObject): object {
  const [field, rows] = Object.entries(answer).find(([, value]) => value instanceof Rows) ?? [];
  if (field === undefined) return answer;
  if ((request.server.longLists.get(request.clientId) ?? 0) >= mostLists) {
    throw new Refusal('serverBusy', { reason: `${mostLists} long lists of this client are being read` });
  }
  const list = schema?.shape[field];
  request.rows = { field, rows, row: list instanceof z.ZodArray ? (list.element as z.ZodType) : z.unknown() };
  return { ...answer, [field]: [] };
}

/** Writes long lists row by row: a caller that does not read makes the server hold a page of them. */
export const longLists = plugin(
  async (app: FastifyInstance) => {
    app.decorate('longLists', new Map());
    app.decorateRequest('rows', null);
    app.addHook('onSend', (request, reply, payload, done) => {
      const { rows, refusal } = request;
      if (rows === null || refusal !== null || typeof payload !== 'string') return done(null, payload);
      countUntilEnd(app.longLists, request.clientId, reply.raw);
      done(null, Readable.from(written(payload, rows), { highWaterMark: 1 }));
    });
  },
  { name: 'long-lists', dependencies: ['request-state'] },
);

function countUntilEnd(
  lists: FastifyInstance['longLists'],
  clientId: string | null,
  answer: ServerResponse,
): void {
  lists.set(clientId, (lists.get(clientId) ?? 0) + 1);
  finished(answer, () => {
    const left = lists.get(clientId)! - 1;
    if (left > 0) lists.set(clientId, left);
    else lists.delete(clientId);
  });
}

async function* written(json: string, { field, rows, row }: NonNullable<FastifyRequest['rows']>) {
  // No text of JSON has it: quotation marks are escaped there.
  const empty = `"${field}":[]`;
  const place = json.indexOf(empty) + empty.length - 1;
  yield json.slice(0, place);
  let separator = '';
  for await (const page of rows.pages) {
    yield separator + page.map((one) => JSON.stringify(row.parse(one))).join(',');
    separator = ',';
  }
  const more = JSON.stringify(rows.end()).slice(1, -1);
  yield `]${more === '' ? '' : `,${more}`}${json.slice(place + 1)}`;
}
