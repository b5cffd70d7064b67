import { wajah } from '../../api/wajah.ts';
import type { PastOf } from '../../ui/past-entry.tsx';
import { RefusedCall } from './refused-call.tsx';

/** The latest refused calls about a person. */
export const refusedCalls: PastOf = async (person, signal) => {
  const { refusals } = await wajah.listRefusals({ ...person, limit: 20 }, { signal });
  return refusals.map(({ user_id: _, facegallery_id: __, ...call }) => ({
    time: call.time,
    entry: <RefusedCall key={call.trx_id} call={call} />,
  }));
};
