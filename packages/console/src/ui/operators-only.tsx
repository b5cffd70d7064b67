import { system } from '../i18n/messages.ts';
import { EmptyState } from './notice.tsx';

/** In place of a page that the server refuses to a client who is no operator. */
export function OperatorsOnly({ icon }: { icon: 'system' | 'clients' }) {
  return (
    <EmptyState icon={icon} title={system.denied} text={system.deniedText}>
      <pre class="code">npx wajah client create ops --operator</pre>
    </EmptyState>
  );
}
