import type { Activity } from '../../api/types.ts';
import { formatMilliseconds, formatNumber } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';

/** Calls by endpoint, in descending order. */
export function RouteTable({ routes }: { routes: Activity['routes'] }) {
  const { activity } = messages.value;
  const sorted = [...routes].sort((a, b) => b.calls - a.calls);
  return (
    <section class="card span" aria-labelledby="routes">
      <h2 id="routes">{activity.routes}</h2>
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">{activity.route}</th>
            <th scope="col" class="end">
              {activity.calls}
            </th>
            <th scope="col" class="end">
              {activity.errors}
            </th>
            <th scope="col" class="end">
              p50
            </th>
            <th scope="col" class="end">
              p95
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ route, calls, errors, latency_p50, latency_p95 }) => (
            <tr key={route}>
              <th scope="row" class="mono">
                {route}
              </th>
              <td class="end numbers" data-label={activity.calls}>
                {formatNumber(calls)}
              </td>
              <td class="end numbers" data-label={activity.errors}>
                {formatNumber(errors)}
              </td>
              <td class="end numbers" data-label="p50">
                {formatMilliseconds(latency_p50)}
              </td>
              <td class="end numbers" data-label="p95">
                {formatMilliseconds(latency_p95)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
