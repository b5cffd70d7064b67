import type { CamelCased, OwnEndpoint } from '@wajah/contract';
import type { z } from 'zod';
import type { Caller } from '../../services/caller.ts';
import type { Observed } from '../observed.ts';
import type { Rows } from '../plugins/rows.ts';
import type { Scale } from '../scales.ts';

/** The fields of an answer besides those of the envelope. A list may be one of `Rows`. */
export type View<Answer extends z.ZodType> = WithRows<Omit<z.input<Answer>, 'status' | 'status_message'>>;

type WithRows<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends readonly (infer Row)[]
    ? Fields[Name] | Rows<Row>
    : Fields[Name];
};

/**
 * Mounts an endpoint behind the token: authentication, rate limit, room for its pictures, quota, request fields in
 * camelCase, one service call, view, answer.
 */
export interface Mount {
  <
    Request extends z.ZodObject,
    Answer extends z.ZodObject,
    Sent extends z.ZodRawShape,
    Told extends z.ZodRawShape,
  >(
    endpoint: OwnEndpoint<Request, Answer, Sent, Told>,
    serve: Serve<Request, Sent, View<Answer> & ViewOf<Told>>,
  ): void;
  <Request extends z.ZodObject, Answer extends z.ZodObject, Sent extends z.ZodRawShape>(
    endpoint: OwnEndpoint<Request, Answer, Sent>,
    serve: ServeAlone<Request, Sent, View<Answer>>,
  ): void;
  <
    Request extends z.ZodObject,
    Answer extends z.ZodObject,
    Sent extends z.ZodRawShape,
    Told extends z.ZodRawShape,
    Value,
  >(
    endpoint: OwnEndpoint<Request, Answer, Sent, Told>,
    serve: Serve<Request, Sent, Value>,
    judged: Judged<Request, Answer, NoInfer<Value>>,
  ): void;
}

/** What only the operator is told. */
type ViewOf<Told extends z.ZodRawShape> = Partial<WithRows<{ [Name in keyof Told]: z.input<Told[Name]> }>>;

/** The fields of a request, with those that only the operator sends. */
export type RequestOf<Request extends z.ZodObject, Sent extends z.ZodRawShape> = CamelCased<
  z.output<Request>
> &
  CamelCased<{ [Name in keyof Sent]?: z.output<Sent[Name]> }>;

export type Serve<Request extends z.ZodObject, Sent extends z.ZodRawShape, Value> = (
  caller: Caller,
  request: RequestOf<Request, Sent>,
  scale: Scale,
) => Promise<Value>;

/** Where an answer has no further fields, a service need not answer anything. */
type ServeAlone<Request extends z.ZodObject, Sent extends z.ZodRawShape, Fields> =
  Record<never, never> extends Fields ? Serve<Request, Sent, void> : never;

/** What becomes of a value with scores. */
export interface Judged<Request extends z.ZodObject, Answer extends z.ZodObject, Value> {
  view(value: Value, scale: Scale): View<Answer>;
  /** What its record of a refused call says; absent: an answer refuses no face. */
  observe?(value: Value, request: CamelCased<z.output<Request>>): Observed;
}
