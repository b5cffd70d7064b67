import { useState } from 'preact/hooks';
import { type Scope, scopes } from '../../api/scopes.ts';
import { wajah } from '../../api/wajah.ts';
import { words } from '../../i18n/words.ts';
import { useCall } from '../../state/use-call.ts';
import { Check, Field, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

/** Name, scopes and lifetime of a new token. */
export function CreateToken({ onMade }: { onMade: (token: string) => void }) {
  const [name, setName] = useState('');
  const [wanted, setWanted] = useState<readonly Scope[]>(scopes);
  const [days, setDays] = useState('90');
  const call = useCall<{ token: string }>();
  const { keys } = words.value;
  async function submit(event: Event) {
    event.preventDefault();
    const some = wanted.length < scopes.length ? { scopes: wanted } : {};
    const until = days === '' ? {} : { expires_in_days: Number(days) };
    const made = await call.run(() => wajah.createApiToken({ name, ...some, ...until }));
    if (!made) return;
    setName('');
    onMade(made.token);
  }
  return (
    <section class="card" aria-labelledby="create-token">
      <h2 id="create-token">{keys.create}</h2>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <TextField label={keys.name} hint={keys.nameHint} value={name} onInput={setName} />
        <ScopeChoice wanted={wanted} onChange={setWanted} />
        <Lifetime days={days} onChange={setDays} />
        {call.error && <ErrorNotice error={call.error} />}
        <button
          type="submit"
          class="button main"
          disabled={call.busy || name.trim() === '' || wanted.length === 0}
        >
          <Icon name="plus" />
          {keys.createButton}
        </button>
      </form>
    </section>
  );
}

function ScopeChoice(props: { wanted: readonly Scope[]; onChange: (wanted: readonly Scope[]) => void }) {
  const { keys } = words.value;
  return (
    <fieldset class="stack tight">
      <legend>{keys.scopes}</legend>
      {scopes.map((scope) => (
        <Check
          key={scope}
          label={scope}
          hint={keys[`scope_${scope}`]}
          checked={props.wanted.includes(scope)}
          onChange={(checked) =>
            props.onChange(scopes.filter((one) => (one === scope ? checked : props.wanted.includes(one))))
          }
        />
      ))}
    </fieldset>
  );
}

function Lifetime({ days, onChange }: { days: string; onChange: (days: string) => void }) {
  const { keys } = words.value;
  return (
    <Field
      label={keys.expires}
      control={(ids) => (
        <select {...ids} value={days} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="30">{keys.days30}</option>
          <option value="90">{keys.days90}</option>
          <option value="365">{keys.days365}</option>
          <option value="">{keys.never}</option>
        </select>
      )}
    />
  );
}
