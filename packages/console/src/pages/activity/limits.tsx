import type { Activity } from '../../api/types.ts';
import { showNumber, words } from '../../i18n/words.ts';
import { Share } from '../../ui/share.tsx';

/** What the service writes for a quota without an end. */
const unlimited = 2_147_483_647;

/** Quotas: how much is used and how much is left. */
export function Limits({ activity: { counters, limits } }: { activity: Activity }) {
  const { activity } = words.value;
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
        const endless = limit >= unlimited;
        return (
          <Share
            key={quota}
            name={name}
            used={endless ? 0 : limit - left}
            all={endless ? 0 : limit}
            text={endless ? activity.unlimited : activity.leftOf(showNumber(left), showNumber(limit))}
          />
        );
      })}
    </section>
  );
}
