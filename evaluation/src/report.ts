import type { Figure } from './measure/figure.ts';

/** Figures under a heading. */
export interface ReportSection {
  readonly title: string;
  readonly figures: readonly Figure[];
}
