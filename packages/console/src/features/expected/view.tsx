import { route } from '../../state/route.ts';
import { lazyPage } from '../../ui/shell.tsx';
import type { ExpectedProps } from './expected-people.tsx';

const Shown = lazyPage<ExpectedProps>(async () => (await import('./expected-people.tsx')).ExpectedPeople);

/** Read each time that it is shown: people are enrolled meanwhile. */
export function Expected(props: ExpectedProps) {
  return route.value.view === 'expected' ? <Shown {...props} /> : null;
}
