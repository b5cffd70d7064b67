import { Registry } from 'prom-client';
import { inTime } from '../lib/deadline.ts';
import type { AuditChain, AuditEntry, AuditStore, OutboxEvent, WebhookType } from '../store/ports.ts';
import { type AuditTrail, createAuditTrail } from './audit-trail.ts';
import { createEventMetrics, type EventMetrics } from './metrics.ts';
import type {
  Actor,
  CallFilter,
  EventActivity,
  EventLog,
  EventOutbox,
  Facts,
  Receipt,
  Subject,
  WebhookData,
} from './ports.ts';
import { type AnyRow, type EventName, type Events, eventTable, type WriteTold } from './table.ts';

interface EventDependencies {
  readonly log: EventLog;
  /** Its audit trail receives the records. */
  readonly store: { readonly audit: Pick<AuditStore, 'append'> };
  readonly chain: AuditChain;
  /** All metrics of this server. */
  readonly registry?: Registry;
  /** Absent: endpoints are told nothing. */
  readonly outbox?: EventOutbox | undefined;
  /** Absent: nothing is counted for clients. */
  readonly activity?: EventActivity | undefined;
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
  outbox,
  activity,
}: EventDependencies) {
  const metrics = createEventMetrics(registry);
  const trail = createAuditTrail(store.audit, chain, (entries, error) => {
    const reason = error instanceof Error ? error.message : String(error);
    for (const { event, trxId } of entries) observe('record_lost', { ...nobody, trxId }, { event, reason });
  });
  const record = createRecord({ log, metrics, trail, activity });
  const observe = ((name: EventName, actor: Actor, facts: Facts, detail?: object) => {
    const row = eventTable[name] as AnyRow;
    if (!row.webhook) return record(name, actor, facts, detail);
    return tell(outbox, { ...actor, ...detail }, row.webhook(facts, detail), () =>
      record(name, actor, facts, detail),
    );
  }) as Events['observe'];
  const damaged = new Set<string>();
  return {
    observe,
    webhookRow: (...event: Parameters<EventOutbox['create']>) => outbox?.create(...event),
    webhookWritten(row: OutboxEvent | undefined): void {
      if (row) outbox?.written();
    },
    forget: async (filter: CallFilter) => activity?.forget(filter),
    /** A template did not open. @param gallery internal number @param row seq of the face, which names nobody */
    templateDamaged(gallery: number, row: number): void {
      const name = `${gallery} ${row}`;
      if (damaged.has(name) || damaged.size >= maxDamaged) return;
      damaged.add(name);
      observe('template_damaged', nobody, { gallery, row });
    },
    /** Templates that did not open since the start, each once. */
    damagedTemplates: () => damaged.size,
    registry,
    /** Number of calls refused as busy since the start. */
    busy: () => metrics.refusedAsBusy.count,
    /** Resolves when the audit records of all events so far are written or have failed. */
    settled: trail.settled,
    /** Whether audit records can be written, see `createAuditTrail`. */
    auditIsWritten: trail.isWritten,
  };
}

interface Sinks {
  readonly log: EventLog;
  readonly metrics: EventMetrics;
  readonly trail: AuditTrail;
  readonly activity: EventActivity | undefined;
}

/** @returns makes all of an event but what endpoints are told; resolves with the receipt where the row has one */
function createRecord({ log, metrics, trail, activity }: Sinks) {
  return (name: EventName, actor: Actor, ownFacts: Facts, detail: unknown): Promise<Receipt | null> => {
    const { audit, outcome, line, metric, count } = eventTable[name] as AnyRow;
    const clientId = actor.clientId || null;
    const { trxId, isOperator } = actor;
    const facts = isOperator && audit !== 'none' ? { ...ownFacts, by_operator: true } : ownFacts;
    const usual = { event: name, client_id: clientId, trx_id: trxId, ...facts };
    const [level, fields, message] = line?.(facts, actor) ?? ['info', usual, name];
    ignoreErrors(() => metric?.(metrics, facts, detail));
    ignoreErrors(() => log[level](fields, message));
    ignoreErrors(() => activity && count?.(activity, facts, detail));
    if (audit === 'none') return Promise.resolve(null);
    ignoreErrors(() => metrics.events.inc({ event: name, outcome: outcome?.(facts) ?? 'done' }));
    const entry: AuditEntry = { at: new Date(), event: name, clientId, trxId, facts };
    if (audit === 'limited') trail.refused(entry);
    else if (audit === 'proven') return inTime(trail.append(entry, true), receiptMs, () => null);
    else void trail.append(entry);
    return Promise.resolve(null);
  };
}

/**
 * Tells endpoints of the client of an event, and records it. Resolves when what they are told is durable, or nobody
 * wants it; rejects only as `write` does, and then the event is not recorded.
 */
async function tell(
  outbox: EventOutbox | undefined,
  { clientId, trxId, galleryId, userId, write }: Actor & Subject & { readonly write?: WriteTold },
  webhook: readonly [WebhookType, WebhookData] | null,
  record: () => unknown,
): Promise<void> {
  const row =
    clientId === null || !webhook
      ? undefined
      : outbox?.create(webhook[0], { clientId, trxId, galleryId, userId }, webhook[1]);
  if (write) {
    await write(row);
    if (row) outbox?.written();
  }
  record();
  if (!write) await outbox?.write(row);
}

/** An event must not fail the call that causes it, not even when the log cannot be written. */
function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {}
}
