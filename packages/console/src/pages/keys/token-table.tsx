import { useState } from 'preact/hooks';
import { scopes, type Token } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatDate, formatTime } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { useRequest } from '../../state/use-request.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';

/** All tokens, the newest first. */
export function TokenTable({ tokens, onRevoked }: { tokens: readonly Token[]; onRevoked: () => void }) {
  const { keys } = messages.value;
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
  const { keys } = messages.value;
  return (
    <tr>
      <th scope="row">{token.name}</th>
      <td data-label={keys.scopes}>
        {token.scopes.length === scopes.length ? keys.all : token.scopes.join(', ')}
      </td>
      <td data-label={keys.created}>{formatDate(token.created_at)}</td>
      <td data-label={keys.lastUsed}>
        {token.last_used_at ? formatTime(token.last_used_at) : keys.neverUsed}
      </td>
      <td data-label={keys.expires}>{token.expires_at ? formatDate(token.expires_at) : keys.never}</td>
      <td data-label={keys.state}>
        <State token={token} onRevoked={onRevoked} />
      </td>
    </tr>
  );
}

function State({ token, onRevoked }: { token: Token; onRevoked: () => void }) {
  const { keys } = messages.value;
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
  const call = useRequest<unknown>();
  const { keys } = messages.value;
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
        <ConfirmDialog
          title={keys.revokeTitle(token.name)}
          confirm={keys.revoke}
          disabled={call.busy}
          error={call.error}
          onConfirm={() => void revoke()}
          onClose={() => setAsking(false)}
        >
          <p>{keys.revokeText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
