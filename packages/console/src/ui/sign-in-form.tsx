import { useRef } from 'preact/hooks';
import { wajah } from '../api/wajah.ts';
import { login } from '../i18n/messages.ts';
import { useRequest } from '../state/request.ts';
import { askedScope, beginSession, sessionOf } from '../state/session.ts';
import { Field } from './field.tsx';
import { Button } from './icon.tsx';
import { ErrorNotice, Notice } from './notice.tsx';

/** Requests a token with client ID and password. */
export function SignInForm() {
  const clientId = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const call = useRequest<Parameters<typeof sessionOf>[1]>();
  async function submit(event: Event) {
    event.preventDefault();
    const client = clientId.current?.value.trim() ?? '';
    const credentials = { client_id: client, password: password.current?.value ?? '', scope: askedScope };
    const answer = await call.run(() => wajah.clientToken(credentials));
    if (answer) beginSession(sessionOf(client, answer));
  }
  return (
    <form class="stack" onSubmit={(event) => void submit(event)}>
      <Field
        label={login.clientId}
        control={(ids) => (
          <input
            {...ids}
            ref={clientId}
            type="text"
            name="client_id"
            required
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
          />
        )}
      />
      <Field
        label={login.password}
        control={(ids) => (
          <input
            {...ids}
            ref={password}
            type="password"
            name="password"
            required
            autocomplete="current-password"
          />
        )}
      />
      {call.error?.http === 401 && (
        <div role="alert">
          <Notice tone="bad">{login.wrong}</Notice>
        </div>
      )}
      {call.error && call.error.http !== 401 && <ErrorNotice error={call.error} />}
      <Button submit look="main" disabled={call.busy}>
        {call.busy ? login.busy : login.submit}
      </Button>
    </form>
  );
}
