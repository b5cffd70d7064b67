import { Registry } from 'prom-client';
import type { DamagedRow } from '../errors.ts';
import { inTime } from '../lib/deadline.ts';
import type { Alongside } from '../store/database/session.ts';
import type { AuditChain, AuditEntry, AuditStore } from '../store/ports/audit.ts';
import { type AuditTrail, createAuditTrail } from './audit-trail.ts';
import { createEventMetrics, type EventMetrics } from './metrics.ts';
import type {
  Actor,
  CallFilter,
  EventLog,
  EventSubscriber,
  Facts,
  Keeping,
  Receipt,
  Subject,
  SubscribedEvent,
} from './ports.ts';
import { type AnyRow, type EventName, type Events, eventTable } from './table.ts';

interface EventDependencies {
  readonly log: EventLog;
  /** Its audit trail receives the records. */
  readonly store: { readonly audit: Pick<AuditStore, 'append'> };
  readonly chain: AuditChain;
  /** All metrics of this server. */
  readonly registry?: Registry;
  /** Are told each event, in this order. */
  readonly subscribers?: readonly EventSubscriber[];
}

const nobody: Actor = { clientId: null, trxId: null };

/** An erasure waits two seconds for its receipt. */
const receiptMs = 2000;

/** Damaged rows that are remembered, so that each is an event once. */
const maxDamaged = 10_000;

/** The events of a server: `eventTable` says what each makes, and `observe` makes it. */
export function createEvents({
  log,
  store,
  chain,
  registry = new Registry(),
  subscribers = [],
}: EventDependencies) {
  const metrics = createEventMetrics(registry);
  const trail = createAuditTrail(store.audit, chain, (entries, error) => {
    const reason = error instanceof Error ? error.message : String(error);
    for (const { event, trxId } of entries) observe('record_lost', { ...nobody, trxId }, { event, reason });
  });
  const record = createRecord({ log, metrics, trail });
  const keepingOf = (event: SubscribedEvent) =>
    together(subscribers.flatMap((subscriber) => subscriber.keepingOf?.(event) ?? []));
  const observe = ((name: EventName, actor: Actor, facts: Facts, detail?: EventDetail) => {
    const event = { name, about: { ...actor, ...detail }, facts, detail };
    const happened = () => {
      for (const subscriber of subscribers) ignoreErrors(() => subscriber.count?.(event));
      return record(name, actor, facts, detail);
    };
    return (eventTable[name] as AnyRow).awaited
      ? keep(keepingOf(event), detail?.write, happened)
      : happened();
  }) as Events['observe'];
  /** Galleries by the rows of templates, see `templateDamaged`. */
  const damaged = new Map<string, number>();
  return {
    observe,
    keepingOf: ((name, about, facts) => keepingOf({ name, about, facts })) as Events['keepingOf'],
    async forget(filter: CallFilter): Promise<void> {
      for (const subscriber of subscribers) await subscriber.forget?.(filter);
    },
    /** A template did not open. @param gallery internal number @param row seq of the face, which names nobody */
    templateDamaged(gallery: number, row: number): void {
      const name = `${gallery} ${row}`;
      if (damaged.has(name) || damaged.size >= maxDamaged) return;
      damaged.set(name, gallery);
      observe('template_damaged', nobody, { gallery, row });
    },
    templatesMended(isMended: (gallery: number) => boolean): void {
      for (const [name, gallery] of damaged) if (isMended(gallery)) damaged.delete(name);
    },
    /** Templates that did not open since the start, each once, but those that are mended. */
    damagedTemplates: () => damaged.size,
    ...rowDamage((facts) => observe('row_damaged', nobody, facts)),
    registry,
    /** Number of calls refused as busy since the start. */
    busy: () => metrics.refusedAsBusy.count,
    /** Resolves when the audit records of all events so far are written or have failed. */
    settled: trail.settled,
    /** Whether audit records can be written, see `createAuditTrail`. */
    auditIsWritten: trail.isWritten,
  };
}

/** Tells each damaged row once. */
function rowDamage(tell: (facts: { place: string; reason: string }) => void) {
  const rows = new Set<string>();
  return {
    rowDamaged({ place, message: reason }: DamagedRow): void {
      if (rows.has(reason) || rows.size >= maxDamaged) return;
      rows.add(reason);
      tell({ place, reason });
    },
    rowsMended: () => rows.clear(),
    /** What is wrong with rows that could not be read since the start, or since all could. */
    damagedRows: (): readonly string[] => [...rows],
  };
}

interface Sinks {
  readonly log: EventLog;
  readonly metrics: EventMetrics;
  readonly trail: AuditTrail;
}

type EventDetail = Subject & { readonly write?: (alongside: Alongside) => Promise<void> };

/** @returns makes all of an event but what subscribers do; resolves with the receipt where the row has one */
function createRecord({ log, metrics, trail }: Sinks) {
  return (name: EventName, actor: Actor, ownFacts: Facts, detail: unknown): Promise<Receipt | null> => {
    const { audit, outcome, line, metric } = eventTable[name] as AnyRow;
    const clientId = actor.clientId || null;
    const { trxId, isOperator } = actor;
    const facts = isOperator && audit !== 'none' ? { ...ownFacts, by_operator: true } : ownFacts;
    const usual = { event: name, client_id: clientId, trx_id: trxId, ...facts };
    const [level, fields, message] = line?.(facts, actor) ?? ['info', usual, name];
    ignoreErrors(() => metric?.(metrics, facts, detail));
    ignoreErrors(() => log[level](fields, message));
    if (audit === 'none') return Promise.resolve(null);
    ignoreErrors(() => metrics.events.inc({ event: name, outcome: outcome?.(facts) ?? 'done' }));
    const entry: AuditEntry = { at: new Date(), event: name, clientId, trxId, facts };
    if (audit === 'limited') trail.refused(entry);
    else if (audit === 'proven') return inTime(trail.append(entry, true), receiptMs, () => null);
    else void trail.append(entry);
    return Promise.resolve(null);
  };
}

/** What several subscribers keep of one event. */
function together(kept: readonly Keeping[]): Keeping {
  return {
    async write(session) {
      for (const { write } of kept) await write(session);
    },
    async keep() {
      for (const { keep } of kept) await keep();
    },
    written() {
      for (const { written } of kept) written();
    },
  };
}

/**
 * Resolves when what subscribers keep of an event that has `happened` is durable: written in the transaction of `write`,
 * or alone. Rejects only as `write` does, and then the event has not happened.
 */
async function keep(kept: Keeping, write: EventDetail['write'], happened: () => unknown): Promise<void> {
  if (write) {
    await write(kept.write);
    kept.written();
  }
  happened();
  if (!write) await kept.keep();
}

/** An event must not fail the call that causes it, not even when the log cannot be written. */
function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {}
}
