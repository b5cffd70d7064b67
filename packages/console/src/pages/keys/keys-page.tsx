import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { messages } from '../../i18n/messages.ts';
import { useLoad } from '../../state/use-request.ts';
import { CopyButton } from '../../ui/code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page/shell.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { CreateToken } from './create-token.tsx';
import { TokenTable } from './token-table.tsx';

/** API tokens of the client. */
export function KeysPage() {
  const load = useLoad((signal) => wajah.listApiTokens({}, { signal }));
  const [created, setCreated] = useState<string>();
  const { keys } = messages.value;
  const tokens = load.answer?.tokens;
  return (
    <div class="page stack wide">
      <PageHeader title={keys.title} lead={keys.lead} />
      <div class="columns side">
        <section class="card" aria-labelledby="tokens">
          <h2 id="tokens">{keys.list}</h2>
          {load.error && <ErrorNotice error={load.error} onRetry={load.reload} />}
          {!tokens && load.busy && <Skeleton />}
          {tokens?.length === 0 && <EmptyState icon="keys" title={keys.empty} text={keys.emptyText} />}
          {tokens && tokens.length > 0 && <TokenTable tokens={tokens} onRevoked={load.reload} />}
        </section>
        <CreateToken
          onCreated={(token) => {
            setCreated(token);
            load.reload();
          }}
        />
      </div>
      {created !== undefined && <CreatedToken token={created} onClose={() => setCreated(undefined)} />}
    </div>
  );
}

function CreatedToken({ token, onClose }: { token: string; onClose: () => void }) {
  const { keys } = messages.value;
  return (
    <Dialog title={keys.createdTitle} onClose={onClose}>
      <Notice tone="warn">{keys.createdText}</Notice>
      <pre class="code wrap">{token}</pre>
      <div class="row end">
        <button type="button" class="button" onClick={onClose}>
          {keys.done}
        </button>
        <CopyButton text={token} main />
      </div>
    </Dialog>
  );
}
