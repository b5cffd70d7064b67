import type { PhraseCode, RefusalCode } from '@wajah/contract/refusals';
import type { StatusName } from '@wajah/contract/statuses';
import type { FeatureAreas } from '../features/named.ts';
import type * as audit from './audit.ts';
import type * as areas from './messages.ts';
import type { tasks } from './operations.ts';

/** A text may have the placeholders of the English one, also where it is a function. */
type Said<Message> = Message extends string ? string : Message | string;
type InAnother<Area> = { readonly [Name in keyof Area]?: Said<Area[Name]> };

type Areas = Omit<typeof areas, 'messageFor'> &
  Pick<typeof audit, 'auditEvents' | 'auditSubjects'> &
  FeatureAreas & { tasks: typeof tasks };

/** What a file of `languages` has: the texts of one language. What is missing is shown in English. */
export type Translation = { readonly [Name in keyof Areas]?: InAnother<Areas[Name]> } & {
  /** Summaries of endpoints by operationId, in place of those of the OpenAPI document. */
  readonly operations?: Readonly<Record<string, string>>;
  /** Titles of statuses, and what people do about them. */
  readonly statuses?: { readonly [Name in StatusName]?: readonly [title: string, advice: string] };
  /** What findings of the server mean, and what to do, by their ids. */
  readonly findings?: Readonly<Record<string, string>>;
  /** Sentences for people, and parts of them. */
  readonly refusals?: { readonly [Code in RefusalCode | PhraseCode]?: string };
};
