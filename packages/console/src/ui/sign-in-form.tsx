import { useLayoutEffect, useRef } from 'preact/hooks';
import { wajah } from '../api/wajah.ts';
import { common, login } from '../i18n/messages.ts';
import { askedScope, beginSession, sessionOf } from '../state/session.ts';
import { Field, Form } from './field.tsx';

/**
 * Requests a token with client ID and password. Their inputs are read when they are sent, since a browser may fill them in.
 * The first has the focus before anybody can type: a focus that moved later would show a password that is being typed.
 */
export function SignInForm() {
  const [clientId, password] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  useLayoutEffect(() => clientId.current?.focus(), []);
  const credentials = () => ({
    client_id: clientId.current?.value.trim() ?? '',
    password: password.current?.value ?? '',
    scope: askedScope,
  });
  return (
    <Form
      look="main"
      submit={login.title}
      busy={login.busy}
      wrong={login.wrong}
      send={() => wajah.clientToken(credentials())}
      onAnswer={(answer) => beginSession(sessionOf(credentials().client_id, answer))}
    >
      <Field
        label={common.clientId}
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
    </Form>
  );
}
