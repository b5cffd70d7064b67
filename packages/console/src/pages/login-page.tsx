import { useEffect } from 'preact/hooks';
import { commandText } from '../api/program.ts';
import { wajah } from '../api/wajah.ts';
import { common, login } from '../i18n/messages.ts';
import { doorScreen } from '../state/door-screen.ts';
import { useRequest } from '../state/request.ts';
import { hrefOf, signInLink } from '../state/route.ts';
import { askedScope, beginSession, sessionEnd, sessionOf } from '../state/session.ts';
import { Card } from '../ui/card.tsx';
import { ErrorNotice, Loading, Notice } from '../ui/notice.tsx';
import { Brand, PreferenceSwitches, SkipLink } from '../ui/shell.tsx';
import { SignInForm } from '../ui/sign-in-form.tsx';

/** The sign-in page. */
export function LoginPage() {
  const link = useSignInLink();
  useEffect(() => {
    document.title = `${login.title} · Wajah`;
  }, [login.title]);
  return (
    <div class="sign-in">
      <SkipLink />
      <header class="row topbar">
        <Brand href="console" />
        <div class="row account">
          <PreferenceSwitches />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Welcome />
        <Card title={login.title}>
          {sessionEnd.value !== 'none' && (
            <div role="status">
              <Notice tone={sessionEnd.value === 'expired' ? 'warn' : 'info'}>
                {login[sessionEnd.value]}
              </Notice>
            </div>
          )}
          {link.error?.http === 401 && (
            <Notice tone="bad" alert>
              {login.linkUsed}
            </Notice>
          )}
          {link.error && link.error.http !== 401 && <ErrorNotice error={link.error} />}
          {link.busy ? (
            <Loading text={login.busy} />
          ) : (
            <div onSubmit={link.clear}>
              <SignInForm />
            </div>
          )}
          <details>
            <summary class="small">{login.where}</summary>
            <div class="stack tight small muted">
              <p>{login.whereText}</p>
              <pre class="code">{commandText('client create door-7')}</pre>
              <p>{login.linkText}</p>
              <pre class="code">{commandText('client sign-in-link demo')}</pre>
              <p>
                <a class="up" href={`${common.guideAddress}operations.html#lost-password`}>
                  {login.lost}
                </a>
              </p>
            </div>
          </details>
          <p class="hint">{login.memory}</p>
        </Card>
      </main>
    </div>
  );
}

function Welcome() {
  return (
    <div class="stack welcome">
      <img class="mesh" src="console/mesh.svg" alt="" width="160" height="190" />
      <h1>{login.lead}</h1>
      <p class="muted">{login.about}</p>
      {doorScreen.value && (
        <p class="row">
          <a class="button" href={hrefOf('recognise', 'door')}>
            {login.door}
          </a>
        </p>
      )}
      <p class="row">
        <a class="up" href="docs">
          {common.reference}
        </a>
        <a class="up" href={common.guideAddress}>
          {common.guide}
        </a>
      </p>
    </div>
  );
}

/** Signs in with the link that the page was opened with, if there is one. */
function useSignInLink() {
  const call = useRequest<Parameters<typeof sessionOf>[1]>();
  const link = signInLink.value;
  useEffect(() => {
    if (link === null) return;
    const { clientId, code: sign_in_code } = link;
    const credentials = { client_id: clientId, sign_in_code, scope: askedScope };
    void call
      .run(
        () => wajah.clientToken(credentials, { retries: 0 }),
        (answer) => beginSession(sessionOf(clientId, answer)),
      )
      .then(() => {
        signInLink.value = null;
      });
  }, [link]);
  return call;
}
