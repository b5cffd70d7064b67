import { route } from '../../state/route.ts';
import { lazyPage } from '../../ui/shell.tsx';
import type { UnknownProps } from './unknown-people.tsx';

const Shown = lazyPage<UnknownProps>(async () => (await import('./unknown-people.tsx')).UnknownPeople);

/** Read when it is shown: a call that shows faces is a record of the audit trail. */
export function Unknown(props: UnknownProps) {
  return route.value.view === 'unknown' ? <Shown {...props} /> : null;
}
