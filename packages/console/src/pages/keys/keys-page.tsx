import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { words } from '../../i18n/words.ts';
import { useLoad } from '../../state/use-call.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { Bones, Empty } from '../../ui/states.tsx';
import { CreateToken } from './create-token.tsx';
import { TokenTable } from './token-table.tsx';

/** API tokens of the client. */
export function KeysPage() {
  const load = useLoad((signal) => wajah.listApiTokens({}, { signal }));
  const [made, setMade] = useState<string>();
  const { keys } = words.value;
  const tokens = load.answer?.tokens;
  return (
    <div class="page stack wide">
      <PageHeader title={keys.title} lead={keys.lead} />
      <div class="columns side">
        <section class="card" aria-labelledby="tokens">
          <h2 id="tokens">{keys.list}</h2>
          {load.error && <ErrorNotice error={load.error} onRetry={load.reload} />}
          {!tokens && load.busy && <Bones />}
          {tokens?.length === 0 && <Empty icon="keys" title={keys.empty} text={keys.emptyText} />}
          {tokens && tokens.length > 0 && <TokenTable tokens={tokens} onRevoked={load.reload} />}
        </section>
        <CreateToken
          onMade={(token) => {
            setMade(token);
            load.reload();
          }}
        />
      </div>
      {made !== undefined && <ShownOnce token={made} onClose={() => setMade(undefined)} />}
    </div>
  );
}

function ShownOnce({ token, onClose }: { token: string; onClose: () => void }) {
  const { keys } = words.value;
  return (
    <Dialog title={keys.madeTitle} onClose={onClose}>
      <Notice tone="warn">{keys.madeText}</Notice>
      <pre class="code wrap">{token}</pre>
      <div class="row end">
        <CopyButton text={token} />
        <button type="button" class="button main" onClick={onClose}>
          {keys.done}
        </button>
      </div>
    </Dialog>
  );
}
