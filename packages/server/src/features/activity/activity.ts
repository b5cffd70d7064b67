import { type RequestOf, type StatusName, statuses } from '@wajah/contract';
import { refusalPage } from '@wajah/contract/features/activity';
import { dayMs, dayOf } from '../../lib/time.ts';
import { registeredClient, remainingOf } from '../../services/accounts/clients.ts';
import type { Store } from '../../store/ports/store.ts';
import type { ActivityRecorder, ActivityService, ActivityStore, CallSum, CountedDays } from './ports.ts';

interface Dependencies {
  readonly clients: Pick<Store, 'clients'>;
  readonly store: ActivityStore;
  /** Writes what it has of calls that were answered before it is read. */
  readonly recorder: Pick<ActivityRecorder, 'settled'>;
}

/** The calls of a client: how many, and with which outcome. */
export function createActivityService({ clients, store, recorder }: Dependencies): ActivityService {
  return {
    async read(caller, request) {
      const { clientId } = caller;
      const { quota, used } = await registeredClient(clients, caller);
      await recorder.settled();
      const range = rangeOf(request);
      const { route, forStatus } = request;
      const byDay = await store.countsByDay(clientId, range, route);
      const byRoute = await store.countsByRoute(clientId, range);
      const isWanted = ({ status }: { status: string }) => [undefined, status].includes(forStatus);
      return {
        ...range,
        days: sumsBy(byDay.filter(isWanted), ({ day }) => new Date(day).toISOString().slice(0, 10)),
        // Each list is under the other's condition only, so that it says what else there is to choose.
        routes: sumsBy(byRoute.filter(isWanted), (one) => one.route),
        statuses: new Map(
          [...sumsBy(byDay, ({ status }) => status)].map(([name, { calls }]) => [name, calls]),
        ),
        left: remainingOf({ quota, used }),
        limits: remainingOf({ quota, used: { hits: 0, faces: 0, galleries: 0 } }),
      };
    },

    async refusals(caller, { kind, from, to, forStatus, limit, ...filter }) {
      await registeredClient(clients, caller);
      await recorder.settled();
      const most = limit ?? refusalPage.byDefault;
      const found = await store.refusedCalls(caller.clientId, {
        before: filter.before,
        route: filter.route,
        userId: filter.userId,
        galleryId: filter.facegalleryId,
        status: forStatus,
        limit: most,
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
        among: kind && { statuses: answered, isOne: kind === 'rejected' },
      });
      const last = found.length === most ? found.at(-1) : undefined;
      return { refusals: found.map(({ call }) => call), nextBefore: last?.id ?? null };
    },
  };
}

/** Of whole days; a week by default. */
function rangeOf(request: RequestOf<'getActivity'>): CountedDays {
  const to = request.to === undefined ? new Date() : new Date(request.to);
  const from = request.from === undefined ? new Date(to.getTime() - 6 * dayMs) : new Date(request.from);
  return { from: new Date(dayOf(from.getTime())), to };
}

const httpByStatus: ReadonlyMap<string, number> = new Map(
  (Object.keys(statuses) as StatusName[]).map((name) => [statuses[name].status, statuses[name].http]),
);

/** Statuses of calls that were answered, whatever was decided about the face. */
const answered = [...httpByStatus].filter(([, http]) => http < 400).map(([status]) => status);

function sumsBy<Count extends { readonly status: string; readonly count: number }>(
  counts: readonly Count[],
  nameOf: (count: Count) => string,
): Map<string, CallSum> {
  const sums = new Map<string, CallSum>();
  for (const counted of counts) {
    const { calls, errors } = sums.get(nameOf(counted)) ?? { calls: 0, errors: 0 };
    const failed = (httpByStatus.get(counted.status) ?? 0) >= 400 ? counted.count : 0;
    sums.set(nameOf(counted), { calls: calls + counted.count, errors: errors + failed });
  }
  return sums;
}
