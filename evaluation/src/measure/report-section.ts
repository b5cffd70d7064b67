import type { Figure } from './figure.ts';

/** Figures under a heading. */
export interface ReportSection {
  readonly title: string;
  readonly figures: readonly Figure[];
  /** Sections of one table say the same of different parts: on a page each is a row of it. */
  readonly table?: { readonly title: string; readonly row: string };
}
