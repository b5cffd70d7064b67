import { defaultScopes, scopes } from '@wajah/contract/values';
import { useState } from 'preact/hooks';
import type { Scope, Token } from '../api/types.ts';
import { wajah } from '../api/wajah.ts';
import { formatDate, formatTime } from '../i18n/format.ts';
import { common, keys } from '../i18n/messages.ts';
import { useLoad } from '../state/request.ts';
import { StackedTable } from '../ui/card.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { Checks, SelectField, TextField } from '../ui/field.tsx';
import { EmptyState, LoadState } from '../ui/notice.tsx';
import { CreateForm, type OnMade, Registry } from '../ui/registry.tsx';

/** API tokens of the client. */
export function KeysPage() {
  const load = useLoad((signal) => wajah.listApiTokens({}, { signal }));
  return (
    <Registry
      texts={keys}
      reload={load.reload}
      form={(onMade) => <CreateToken onMade={onMade} />}
      list={() => (
        <LoadState load={load}>
          {({ tokens }) => <TokenTable tokens={tokens} onRevoked={load.reload} />}
        </LoadState>
      )}
    />
  );
}

/** All tokens, the newest first. */
function TokenTable({ tokens, onRevoked }: { tokens: readonly Token[]; onRevoked: () => void }) {
  return (
    <StackedTable
      columns={[
        [common.name, ({ name }) => name],
        [
          keys.scopes,
          ({ scopes: given, facegallery_id: gallery, compreface }) => {
            if (gallery !== undefined && !compreface) return keys.ofGallery(gallery);
            return given.length === scopes.length ? common.allOf : given.join(', ');
          },
        ],
        [common.created, ({ created_at: at }) => formatDate(at)],
        [keys.lastUsed, ({ last_used_at: at }) => (at ? formatTime(at) : keys.neverUsed)],
        [keys.expires, ({ expires_at: at }) => (at ? formatDate(at) : keys.never)],
        [common.state, (token) => <State token={token} onRevoked={onRevoked} />],
      ]}
      rows={tokens.toSorted((a, b) => b.created_at.localeCompare(a.created_at))}
      keyOf={(token) => token.token_id}
      empty={<EmptyState icon="keys" title={keys.empty} text={keys.emptyText} />}
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
      <ConfirmButton
        text={keys.revoke}
        label={keys.revokeOf(token.name)}
        title={keys.revokeTitle(token.name)}
        look="plain"
        send={() => wajah.revokeApiToken({ token_id: token.token_id })}
        onAnswer={onRevoked}
      >
        <p>{keys.revokeText}</p>
      </ConfirmButton>
    </span>
  );
}

/** Name, scopes and lifetime of a new token. */
function CreateToken({ onMade }: { onMade: OnMade }) {
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
  return (
    <CreateForm
      title={keys.create}
      submit={keys.createButton}
      disabled={name.trim() === '' || chosen.length === 0}
      send={() => wajah.createApiToken({ name, scopes: chosen, ...expiry })}
      onAnswer={({ token }) => {
        setName('');
        setChosen(defaultScopes);
        onMade({ title: keys.createdTitle, text: keys.createdText, secret: token });
      }}
    >
      <TextField label={common.name} hint={keys.nameHint} value={name} onInput={setName} />
      <Checks
        legend={keys.scopes}
        hint={keys.scopesHint}
        values={scopes}
        chosen={chosen}
        hintOf={(scope) => keys[`scope_${scope}`]}
        onChange={setChosen}
      />
      <SelectField label={keys.expires} value={days} options={lifetimes} onChange={setDays} />
    </CreateForm>
  );
}
