import { useState } from 'preact/hooks';
import { ordinaryScopes, type Scope, scopes } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { messages } from '../../i18n/messages.ts';
import { useRequest } from '../../state/use-request.ts';
import { Check, SelectField, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

/** Name, scopes and lifetime of a new token. */
export function CreateToken({ onCreated }: { onCreated: (token: string) => void }) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(ordinaryScopes);
  const [days, setDays] = useState('90');
  const call = useRequest<{ token: string }>();
  const { keys } = messages.value;
  async function submit(event: Event) {
    event.preventDefault();
    const usual = chosen.length === ordinaryScopes.length && !chosen.includes('diagnostics');
    const limited = usual ? {} : { scopes: chosen };
    const expiry = days === '' ? {} : { expires_in_days: Number(days) };
    const created = await call.run(() => wajah.createApiToken({ name, ...limited, ...expiry }));
    if (!created) return;
    setName('');
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
  const { keys } = messages.value;
  return (
    <fieldset class="stack tight">
      <legend>{keys.scopes}</legend>
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
  const { keys } = messages.value;
  const options = [
    ['30', keys.days30],
    ['90', keys.days90],
    ['365', keys.days365],
    ['', keys.never],
  ] as const;
  return <SelectField label={keys.expires} value={days} options={options} onChange={onChange} />;
}
