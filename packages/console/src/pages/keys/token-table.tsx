import { useState } from 'preact/hooks';
import { scopes } from '../../api/scopes.ts';
import type { Token } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { showDay, showTime, words } from '../../i18n/words.ts';
import { useCall } from '../../state/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

/** The tokens that are and were, the newest first. */
export function TokenTable({ tokens, onRevoked }: { tokens: readonly Token[]; onRevoked: () => void }) {
  const { keys } = words.value;
  const newest = [...tokens].sort((a, b) => b.created_at.localeCompare(a.created_at));
  return (
    <table class="stacked">
      <thead>
        <tr>
          <th scope="col">{keys.name}</th>
          <th scope="col">{keys.scopes}</th>
          <th scope="col">{keys.created}</th>
          <th scope="col">{keys.lastUsed}</th>
          <th scope="col">{keys.expires}</th>
          <th scope="col">{keys.state}</th>
        </tr>
      </thead>
      <tbody>
        {newest.map((token) => (
          <TokenRow key={token.token_id} token={token} onRevoked={onRevoked} />
        ))}
      </tbody>
    </table>
  );
}

function TokenRow({ token, onRevoked }: { token: Token; onRevoked: () => void }) {
  const { keys } = words.value;
  return (
    <tr>
      <th scope="row">{token.name}</th>
      <td data-label={keys.scopes}>
        {token.scopes.length === scopes.length ? keys.all : token.scopes.join(', ')}
      </td>
      <td data-label={keys.created}>{showDay(token.created_at)}</td>
      <td data-label={keys.lastUsed}>{token.last_used_at ? showTime(token.last_used_at) : keys.neverUsed}</td>
      <td data-label={keys.expires}>{token.expires_at ? showDay(token.expires_at) : keys.never}</td>
      <td data-label={keys.state}>
        <State token={token} onRevoked={onRevoked} />
      </td>
    </tr>
  );
}

function State({ token, onRevoked }: { token: Token; onRevoked: () => void }) {
  const { keys } = words.value;
  if (token.revoked_at) return <span class="tag">{keys.revoked}</span>;
  if (token.expires_at && Date.parse(token.expires_at) <= Date.now()) {
    return <span class="tag">{keys.expired}</span>;
  }
  return (
    <span class="row">
      <span class="tag good">{keys.active}</span>
      <Revoke token={token} onRevoked={onRevoked} />
    </span>
  );
}

function Revoke({ token, onRevoked }: { token: Token; onRevoked: () => void }) {
  const [asking, setAsking] = useState(false);
  const call = useCall<unknown>();
  const { keys, common } = words.value;
  async function revoke() {
    if ((await call.run(() => wajah.revokeApiToken({ token_id: token.token_id }))) === undefined) return;
    setAsking(false);
    onRevoked();
  }
  return (
    <>
      <button
        type="button"
        class="button plain"
        aria-label={keys.revokeOf(token.name)}
        onClick={() => setAsking(true)}
      >
        {keys.revoke}
      </button>
      {asking && (
        <Dialog title={keys.revokeTitle(token.name)} onClose={() => setAsking(false)}>
          <p>{keys.revokeText}</p>
          {call.error && <ErrorNotice error={call.error} />}
          <div class="row end">
            <button type="button" class="button" onClick={() => setAsking(false)}>
              {common.cancel}
            </button>
            <button type="button" class="button danger" disabled={call.busy} onClick={() => void revoke()}>
              {keys.revoke}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
