import { useState } from 'preact/hooks';
import { wajah } from '../api/wajah.ts';
import { common, login } from '../i18n/messages.ts';
import { askedScope, beginSession, session, sessionOf } from '../state/session.ts';
import { Dialog } from './dialog.tsx';
import { Check, Form, InputField, useFields } from './field.tsx';

/** Characters, of the server's limits. */
const [fewest, most] = [8, 1024];

/** Replaces the password of the signed-in client. The session goes on with a new token. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const clientId = session.value?.clientId ?? '';
  const { values, field, check } = useFields({ password: '', fresh: '', again: '', revokes: false });
  const [done, setDone] = useState(false);
  const input = (name: 'password' | 'fresh' | 'again', autocomplete: string) =>
    ({ type: 'password', name, autocomplete, maxLength: most, required: true, ...field(name) }) as const;
  if (done) {
    return (
      <Dialog title={login.changed} dismiss={common.close} onClose={onClose}>
        <p>{login.changedText}</p>
      </Dialog>
    );
  }
  return (
    <Dialog title={login.change} onClose={onClose}>
      <Form
        look="main"
        submit={login.change}
        wrong={login.presentWrong}
        disabled={[...values.fresh].length < fewest || values.fresh !== values.again}
        send={() =>
          wajah.changePassword({
            client_id: clientId,
            password: values.password,
            new_password: values.fresh,
            revoke_api_tokens: values.revokes,
            scope: askedScope,
          })
        }
        onAnswer={(answer) => {
          beginSession(sessionOf(clientId, answer));
          setDone(true);
        }}
        onCancel={onClose}
      >
        {/* Password managers look for the name that a password belongs to. */}
        <input type="text" name="username" autocomplete="username" value={clientId} readOnly hidden />
        <InputField label={login.present} {...input('password', 'current-password')} />
        <InputField label={login.fresh} hint={login.freshHint} {...input('fresh', 'new-password')} />
        <InputField label={login.again} {...input('again', 'new-password')} />
        <Check label={login.revokes} hint={login.revokesHint} {...check('revokes')} />
      </Form>
    </Dialog>
  );
}
