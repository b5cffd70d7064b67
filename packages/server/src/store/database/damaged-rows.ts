import type { DamagedRow } from '../../errors.ts';

type Listener = (row: DamagedRow) => void;

/** The damaged rows that a store meets. */
export interface DamagedRows {
  readonly add: Listener;
  /** Tells each that is met; those that were met before at once. */
  readonly tell: (listener: Listener) => void;
}

/** Most rows that are kept until somebody listens. */
const most = 1000;

export function createDamagedRows(): DamagedRows {
  const met: DamagedRow[] = [];
  let told: Listener = (row) => void (met.length < most && met.push(row));
  return {
    add: (row) => told(row),
    tell(listener) {
      told = listener;
      for (const row of met.splice(0)) listener(row);
    },
  };
}
