import { useState } from 'preact/hooks';
import { defaultScopes, type Scope, scopes, type Token } from '../api/types.ts';
import { wajah } from '../api/wajah.ts';
import { formatDate, formatTime } from '../i18n/format.ts';
import { keys } from '../i18n/messages.ts';
import { useLoad } from '../state/request.ts';
import { Card, StackedTable } from '../ui/card.tsx';
import { ConfirmDialog, Opens, ShownOnce } from '../ui/dialog.tsx';
import { Checks, Form, SelectField, TextField } from '../ui/field.tsx';
import { Button } from '../ui/icon.tsx';
import { EmptyState, LoadState } from '../ui/notice.tsx';
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
        <Card title={keys.list}>
          <LoadState load={load} />
          {tokens?.length === 0 && <EmptyState icon="keys" title={keys.empty} text={keys.emptyText} />}
          {tokens && tokens.length > 0 && <TokenTable tokens={tokens} onRevoked={load.reload} />}
        </Card>
        <CreateToken
          onCreated={(token) => {
            setCreated(token);
            load.reload();
          }}
        />
      </div>
      {created !== undefined && (
        <ShownOnce
          title={keys.createdTitle}
          text={keys.createdText}
          secret={created}
          onClose={() => setCreated(undefined)}
        />
      )}
    </div>
  );
}

/** All tokens, the newest first. */
function TokenTable({ tokens, onRevoked }: { tokens: readonly Token[]; onRevoked: () => void }) {
  const newest = [...tokens].sort((a, b) => b.created_at.localeCompare(a.created_at));
  return (
    <StackedTable
      columns={[
        [keys.name, ({ name }) => name],
        [
          keys.scopes,
          (token) => (token.scopes.length === scopes.length ? keys.all : token.scopes.join(', ')),
        ],
        [keys.created, ({ created_at: at }) => formatDate(at)],
        [keys.lastUsed, ({ last_used_at: at }) => (at ? formatTime(at) : keys.neverUsed)],
        [keys.expires, ({ expires_at: at }) => (at ? formatDate(at) : keys.never)],
        [keys.state, (token) => <State token={token} onRevoked={onRevoked} />],
      ]}
      rows={newest}
      keyOf={(token) => token.token_id}
    />
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
  return (
    <Opens
      button={(open) => (
        <Button look="plain" aria-label={keys.revokeOf(token.name)} onClick={open}>
          {keys.revoke}
        </Button>
      )}
    >
      {(close) => (
        <ConfirmDialog
          title={keys.revokeTitle(token.name)}
          confirm={keys.revoke}
          send={() => wajah.revokeApiToken({ token_id: token.token_id })}
          onAnswer={onRevoked}
          onClose={close}
        >
          <p>{keys.revokeText}</p>
        </ConfirmDialog>
      )}
    </Opens>
  );
}

/** Name, scopes and lifetime of a new token. */
function CreateToken({ onCreated }: { onCreated: (token: string) => void }) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(defaultScopes);
  const [days, setDays] = useState('90');
  const expiry = days === '' ? {} : { expires_in_days: Number(days) };
  const lifetimes = [
    ['30', keys.days30],
    ['90', keys.days90],
    ['365', keys.days365],
    ['', keys.never],
  ] as const;
  const onAnswer = ({ token }: { token: string }) => {
    setName('');
    setChosen(defaultScopes);
    onCreated(token);
  };
  return (
    <Card title={keys.create}>
      <Form
        look="main"
        icon="plus"
        submit={keys.createButton}
        disabled={name.trim() === '' || chosen.length === 0}
        send={() => wajah.createApiToken({ name, scopes: chosen, ...expiry })}
        onAnswer={onAnswer}
      >
        <TextField label={keys.name} hint={keys.nameHint} value={name} onInput={setName} />
        <Checks
          legend={keys.scopes}
          hint={keys.scopesHint}
          values={scopes}
          chosen={chosen}
          hintOf={(scope) => keys[`scope_${scope}`]}
          onChange={setChosen}
        />
        <SelectField label={keys.expires} value={days} options={lifetimes} onChange={setDays} />
      </Form>
    </Card>
  );
}
