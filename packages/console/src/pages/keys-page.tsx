import { useState } from 'preact/hooks';
import { type Scope, scopes, type Token } from '../api/types.ts';
import { wajah } from '../api/wajah.ts';
import { formatDate, formatTime } from '../i18n/format.ts';
import { keys } from '../i18n/messages.ts';
import { useLoad, useRequest } from '../state/request.ts';
import { CopyButton } from '../ui/code.tsx';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { Check, SelectField, TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { EmptyState, ErrorNotice, Notice, Skeleton } from '../ui/notice.tsx';
import { PageHeader } from '../ui/shell.tsx';

/** API tokens of the client. */
export function KeysPage() {
  const load = useLoad((signal) => wajah.listApiTokens({}, { signal }));
  const [created, setCreated] = useState<string>();
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

/** All tokens, the newest first. */
function TokenTable({ tokens, onRevoked }: { tokens: readonly Token[]; onRevoked: () => void }) {
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

/** What a door or a desk needs; more is chosen by hand. */
const leastScopes: readonly Scope[] = ['recognise'];

/** Name, scopes and lifetime of a new token. */
function CreateToken({ onCreated }: { onCreated: (token: string) => void }) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(leastScopes);
  const [days, setDays] = useState('90');
  const call = useRequest<{ token: string }>();
  async function submit(event: Event) {
    event.preventDefault();
    const expiry = days === '' ? {} : { expires_in_days: Number(days) };
    const created = await call.run(() => wajah.createApiToken({ name, scopes: chosen, ...expiry }));
    if (!created) return;
    setName('');
    setChosen(leastScopes);
    onCreated(created.token);
  }
  return (
    <section class="card" aria-labelledby="create-token">
      <h2 id="create-token">{keys.create}</h2>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <TextField label={keys.name} hint={keys.nameHint} value={name} onInput={setName} />
        <ScopeChoice chosen={chosen} onChange={setChosen} />
        <Lifetime days={days} onChange={setDays} />
        {call.error && <ErrorNotice error={call.error} />}
        <button
          type="submit"
          class="button main"
          disabled={call.busy || name.trim() === '' || chosen.length === 0}
        >
          <Icon name="plus" />
          {keys.createButton}
        </button>
      </form>
    </section>
  );
}

function ScopeChoice(props: { chosen: readonly Scope[]; onChange: (chosen: readonly Scope[]) => void }) {
  return (
    <fieldset class="stack tight">
      <legend>{keys.scopes}</legend>
      <p class="hint">{keys.scopesHint}</p>
      {scopes.map((scope) => (
        <Check
          key={scope}
          label={scope}
          hint={keys[`scope_${scope}`]}
          checked={props.chosen.includes(scope)}
          onChange={(checked) =>
            props.onChange(scopes.filter((one) => (one === scope ? checked : props.chosen.includes(one))))
          }
        />
      ))}
    </fieldset>
  );
}

function Lifetime({ days, onChange }: { days: string; onChange: (days: string) => void }) {
  const options = [
    ['30', keys.days30],
    ['90', keys.days90],
    ['365', keys.days365],
    ['', keys.never],
  ] as const;
  return <SelectField label={keys.expires} value={days} options={options} onChange={onChange} />;
}
