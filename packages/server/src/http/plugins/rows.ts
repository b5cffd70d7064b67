import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { z } from 'zod';
import type { Listing } from '../../lib/pages.ts';

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

async function* viewed<Row, Shown>(
  first: readonly Row[],
  rest: AsyncIterable<readonly Row[]>,
  view: (row: Row) => Shown,
) {
  yield first.map(view);
  for await (const page of rest) yield page.map(view);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Rows that the answer has in its field, in which it has an empty list; null: none. */
    rows: { readonly field: string; readonly rows: Rows<unknown>; readonly row: z.ZodType } | null;
  }
}

/**
 * Leaves the rows of an answer to be written after it.
 * @param schema of the answer; absent: its rows are not checked
 * @returns the answer, with an empty list in their place
 */
export function withoutRows(request: FastifyRequest, answer: object, schema?: z.ZodObject): object {
  const [field, rows] = Object.entries(answer).find(([, value]) => value instanceof Rows) ?? [];
  if (field === undefined) return answer;
  const list = schema?.shape[field];
  request.rows = { field, rows, row: list instanceof z.ZodArray ? (list.element as z.ZodType) : z.unknown() };
  return { ...answer, [field]: [] };
}

/** Writes long lists row by row: a caller that does not read makes the server hold a page of them. */
export const longLists = plugin(
  async (app: FastifyInstance) => {
    app.decorateRequest('rows', null);
    app.addHook('onSend', (request, _reply, payload, done) => {
      const { rows, refusal } = request;
      if (rows === null || refusal !== null || typeof payload !== 'string') return done(null, payload);
      done(null, Readable.from(written(payload, rows), { highWaterMark: 1 }));
    });
  },
  { name: 'long-lists', dependencies: ['request-state'] },
);

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
