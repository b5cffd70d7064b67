import type { Activity } from '../../api/types.ts';
import { formatNumber } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { UsageBar } from '../../ui/facts.tsx';

/** The value of an unlimited quota. */
const unlimited = 2_147_483_647;

/** The used and the remaining part of each quota. */
export function Limits({ activity: { counters, limits } }: { activity: Activity }) {
  const { activity } = messages.value;
  const quotas = [
    ['n_api_hits', activity.hits],
    ['n_face', activity.faces],
    ['n_facegallery', activity.galleries],
  ] as const;
  return (
    <section class="card" aria-labelledby="limits">
      <h2 id="limits">{activity.limits}</h2>
      {quotas.map(([quota, name]) => {
        const [left, limit] = [counters[quota], limits[quota]];
        const isUnlimited = limit >= unlimited;
        return (
          <UsageBar
            key={quota}
            name={name}
            used={isUnlimited ? 0 : limit - left}
            all={isUnlimited ? 0 : limit}
            text={isUnlimited ? activity.unlimited : activity.leftOf(formatNumber(left), formatNumber(limit))}
          />
        );
      })}
    </section>
  );
}
