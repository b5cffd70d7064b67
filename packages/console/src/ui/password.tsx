import { useState } from 'preact/hooks';
import { wajah } from '../api/wajah.ts';
import { common, login } from '../i18n/messages.ts';
import { askedScope, beginSession, session, sessionOf } from '../state/session.ts';
import { Dialog } from './dialog.tsx';
import { Check, Form, InputField } from './field.tsx';

/** Characters, of the server's limits. */
const [fewest, most] = [8, 1024];

/** Replaces the password of the signed-in client. The session goes on with a new token. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const clientId = session.value?.clientId ?? '';
  const [typed, setTyped] = useState({ password: '', fresh: '', again: '' });
  const [revokes, setRevokes] = useState(false);
  const [done, setDone] = useState(false);
  const field = (name: keyof typeof typed, label: string, autocomplete: string, hint?: string) => (
    <InputField
      label={label}
      hint={hint}
      type="password"
      name={name}
      autocomplete={autocomplete}
      maxLength={most}
      required
      value={typed[name]}
      onInput={(value) => setTyped({ ...typed, [name]: value })}
    />
  );
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
        disabled={[...typed.fresh].length < fewest || typed.fresh !== typed.again}
        send={() =>
          wajah.changePassword({
            client_id: clientId,
            password: typed.password,
            new_password: typed.fresh,
            revoke_api_tokens: revokes,
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
        {field('password', login.present, 'current-password')}
        {field('fresh', login.fresh, 'new-password', login.freshHint)}
        {field('again', login.again, 'new-password')}
        <Check label={login.revokes} hint={login.revokesHint} checked={revokes} onChange={setRevokes} />
      </Form>
    </Dialog>
  );
}
