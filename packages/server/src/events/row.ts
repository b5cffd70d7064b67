import type { EventMetrics } from './metrics.ts';
import type { Actor, Receipt } from './ports.ts';

/**
 * What an event makes. Absent cells are those of a business event: a line of its name and facts, a count in
 * `wajah_events_total`, a record that is written in the background.
 */
export interface Row<F, D, Result> {
  /** Label of `wajah_events_total`; default: `done`. */
  readonly outcome?: (facts: F) => string;
  /** Its line, where it has another. */
  readonly line?: (facts: F, actor: Actor) => Line;
  /** What it counts, besides `wajah_events_total` or in its place. */
  readonly metric?: (metrics: EventMetrics, facts: F, detail: D) => void;
  /**
   * The audit record. `proven`: the event resolves with its receipt · `limited`: one of a flood is counted only, see
   * `createAuditTrail` · `none`: no record, and no count in `wajah_events_total`.
   */
  readonly audit?: 'proven' | 'limited' | 'none';
  /** Whoever causes it waits until subscribers keep it. */
  readonly awaited?: true;
  /** Never set: what `observe` returns. */
  readonly result?: Result;
}

// Types, not interfaces: these are assignable to Facts.
export type Gallery = { readonly facegallery_id: string };

/** Version of the statistics that similarities were normalised by, and the people measured; 0: none. */
export type Cohort = { readonly cohort_version: number; readonly cohort_people: number };

type Line = readonly [level: 'info' | 'error', fields: object, message: string];

/** A row that nobody waits for. */
export const row = <F, D = undefined>(cells: Row<F, D, void> = {}) => cells;

/** A row that is kept by subscribers before its call is answered. */
export const awaited = <F, D = undefined>(cells: Row<F, D, Promise<void>> = {}) => ({
  ...cells,
  awaited: true as const,
});

/** A row whose record is a proof. */
export const proven = <F>(cells: Row<F, undefined, Promise<Receipt | null>> = {}) => ({
  ...cells,
  audit: 'proven' as const,
});
