import type { ComponentChildren } from 'preact';
import { words } from '../../i18n/words.ts';
import { hrefOf, pages, route } from '../../state/route.ts';
import { endSession, session } from '../../state/session.ts';
import { Icon, Mark } from '../icon.tsx';
import { PreferenceSwitches } from './preference-switches.tsx';

/** What stands around every page. */
export function Shell({ children }: { children: ComponentChildren }) {
  return (
    <div class="shell">
      <SkipLink />
      <header class="topbar">
        <a class="brand" href={hrefOf('try')}>
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

/** Moves the focus itself: the address belongs to the pages. */
export function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: without the script it would go there by itself
    <a
      class="skip"
      href="#content"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('content')?.focus();
      }}
    >
      {words.value.common.skip}
    </a>
  );
}

function Navigation() {
  const { common } = words.value;
  return (
    <nav class="nav" aria-label={common.menu}>
      <ul>
        {pages.map((page) => (
          <li key={page}>
            <a href={hrefOf(page)} aria-current={route.value.page === page ? 'page' : undefined}>
              <Icon name={page} />
              {common[page]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Whom one is signed in as, the preferences, and the way out. @param compact in the bar of a narrow window */
function Account({ compact = false }: { compact?: boolean }) {
  const { common } = words.value;
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
