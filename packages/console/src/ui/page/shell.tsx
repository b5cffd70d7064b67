import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { messages } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { endSession, session } from '../../state/session.ts';
import { Icon, Mark } from '../icon.tsx';
import { Navigation } from './navigation.tsx';
import { PreferenceSwitches } from './preference-switches.tsx';

/** The frame of every page: top bar, navigation, account. */
export function Shell({ children }: { children: ComponentChildren }) {
  return (
    <div class="shell">
      <SkipLink />
      <header class="topbar">
        <a class="brand" href={hrefOf('recognise')}>
          <Mark />
          Wajah
        </a>
        <Account compact />
      </header>
      {children}
      <Navigation />
      <div class="side-account">
        <Account />
      </div>
    </div>
  );
}

/** Moves the focus by script, because the hash of the address selects the page. */
export function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: the href works without the script too
    <a
      class="skip"
      href="#content"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('content')?.focus();
      }}
    >
      {messages.value.common.skip}
    </a>
  );
}

/** The signed-in client, the preferences and signing out. @param compact for the bar of a narrow window */
function Account({ compact = false }: { compact?: boolean }) {
  const { common } = messages.value;
  return (
    <div class="account">
      {!compact && <p class="who small muted">{common.signedInAs(session.value?.clientId ?? '')}</p>}
      <PreferenceSwitches compact={compact} />
      <button
        type="button"
        class={compact ? 'button plain icon' : 'button plain'}
        aria-label={common.signOut}
        title={common.signOut}
        onClick={() => endSession('left')}
      >
        <Icon name="leave" />
        {!compact && common.signOut}
      </button>
    </div>
  );
}

/** Title of a page with one sentence about it. */
export function PageHeader({ title, lead }: { title: string; lead: string }) {
  useEffect(() => {
    document.title = `${title} · Wajah`;
  }, [title]);
  return (
    <header>
      <h1>{title}</h1>
      <p class="muted">{lead}</p>
    </header>
  );
}
