import { useState } from 'preact/hooks';
import { messages } from '../i18n/messages.ts';
import { endSession, session } from '../state/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, Tag } from '../ui/icon.tsx';
import { SignInForm } from '../ui/page/sign-in-form.tsx';

/** The signed-in client, or a button to sign in. */
export function SignInBar() {
  const [open, setOpen] = useState(false);
  const { reference, common, login } = messages.value;
  const current = session.value;
  if (current) {
    return (
      <div class="row" role="status">
        <Tag tone="good">{common.signedInAs(current.clientId)}</Tag>
        <span class="hint">{reference.signedIn}</span>
        <button type="button" class="button" onClick={() => endSession('left')}>
          {common.signOut}
        </button>
      </div>
    );
  }
  return (
    <div class="row">
      <button type="button" class="button main" onClick={() => setOpen(true)}>
        <Icon name="keys" />
        {reference.signIn}
      </button>
      {open && (
        <Dialog title={login.title} onClose={() => setOpen(false)}>
          <SignInForm />
          <button type="button" class="button" onClick={() => setOpen(false)}>
            {common.cancel}
          </button>
        </Dialog>
      )}
    </div>
  );
}
