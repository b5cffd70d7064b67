import type { Activity } from '../../api/types.ts';
import { showNumber, words } from '../../i18n/words.ts';

/** Calls by endpoint, the most called first. */
export function RouteTable({ routes }: { routes: Activity['routes'] }) {
  const { activity } = words.value;
  const most = [...routes].sort((a, b) => b.calls - a.calls);
  const milliseconds = (value: number | null) =>
    value === null ? '–' : activity.milliseconds(showNumber(value));
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
          {most.map(({ route, calls, errors, latency_p50, latency_p95 }) => (
            <tr key={route}>
              <th scope="row" class="mono">
                {route}
              </th>
              <td class="end numbers" data-label={activity.calls}>
                {showNumber(calls)}
              </td>
              <td class="end numbers" data-label={activity.errors}>
                {showNumber(errors)}
              </td>
              <td class="end numbers" data-label="p50">
                {milliseconds(latency_p50)}
              </td>
              <td class="end numbers" data-label="p95">
                {milliseconds(latency_p95)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
