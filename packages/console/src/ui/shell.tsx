import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Language } from '../i18n/area.ts';
import { common, login } from '../i18n/messages.ts';
import { guideAddress, language, type Theme, theme, themes } from '../state/preferences.ts';
import { asApiError } from '../state/request.ts';
import { hrefOf, pages, route } from '../state/route.ts';
import { endSession, session } from '../state/session.ts';
import { Segments } from './field.tsx';
import { Icon, IconButton, type IconName, Mark } from './icon.tsx';
import { ErrorNotice, Skeleton } from './notice.tsx';
import { PasswordDialog } from './password.tsx';

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
      <Navigation />
      {children}
      <aside class="side-account" aria-label={common.account}>
        <Account />
      </aside>
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
      {common.skip}
    </a>
  );
}

/** The signed-in client, the preferences and signing out. @param compact for the bar of a narrow window */
function Account({ compact = false }: { compact?: boolean }) {
  const [changing, setChanging] = useState(false);
  return (
    <div class="account">
      {!compact && <p class="who small muted">{common.signedInAs(session.value?.clientId ?? '')}</p>}
      <PreferenceSwitches compact={compact} />
      <AccountButton compact={compact} icon="keys" text={login.change} onClick={() => setChanging(true)} />
      <AccountButton
        compact={compact}
        icon="leave"
        text={common.signOut}
        onClick={() => endSession('left')}
      />
      {changing && <PasswordDialog onClose={() => setChanging(false)} />}
    </div>
  );
}

function AccountButton(props: { compact: boolean; icon: IconName; text: string; onClick: () => void }) {
  return (
    <button
      type="button"
      class={props.compact ? 'button plain icon' : 'button plain'}
      aria-label={props.text}
      title={props.text}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
      {!props.compact && props.text}
    </button>
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

/** Links of the bar of a narrow window; the others are behind a button. */
const inBar = 4;

/** The pages, and the documents of the server. */
function Navigation() {
  const [open, setOpen] = useState(false);
  const { page } = route.value;
  useEffect(() => setOpen(false), [page]);
  const shown = pages.filter((name) => name !== 'clients' || session.value?.operator === true);
  const links = shown.map((name) => (
    <Item key={name} href={hrefOf(name)} icon={name} text={common[name]} current={name === page} />
  ));
  return (
    <nav
      class={open ? 'nav open' : 'nav'}
      aria-label={common.menu}
      onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
    >
      <ul>
        {links.slice(0, inBar)}
        <li class="toggle">
          <button
            type="button"
            aria-expanded={open}
            data-current={pages.indexOf(page) >= inBar}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'close' : 'more'} />
            {common.more}
          </button>
        </li>
        {links.slice(inBar)}
        <Item href="/docs" icon="reference" text={common.reference} />
        <Item href={guideAddress.value} icon="guide" text={common.guide} />
      </ul>
    </nav>
  );
}

function Item(props: { href: string; icon: IconName; text: string; current?: boolean }) {
  return (
    <li>
      <a href={props.href} aria-current={props.current ? 'page' : undefined}>
        <Icon name={props.icon} />
        {props.text}
      </a>
    </li>
  );
}

const themeIcons: Record<Theme, IconName> = { system: 'device', light: 'sun', dark: 'moon' };

function themeNames(): Record<Theme, string> {
  return { system: common.themeSystem, light: common.themeLight, dark: common.themeDark };
}

/** Language and theme. @param compact one button that cycles through the themes */
export function PreferenceSwitches({ compact = false }: { compact?: boolean }) {
  return (
    <>
      <Segments<Language>
        label={common.language}
        value={language.value}
        options={[
          { value: 'en', text: 'EN', name: 'EN, English' },
          { value: 'id', text: 'ID', name: 'ID, Bahasa Indonesia' },
        ]}
        onChoose={(chosen) => {
          language.value = chosen;
        }}
      />
      {compact ? <ThemeButton /> : <ThemeSwitch />}
    </>
  );
}

function ThemeSwitch() {
  const names = themeNames();
  return (
    <Segments<Theme>
      label={common.theme}
      value={theme.value}
      options={themes.map((value) => ({
        value,
        text: <Icon name={themeIcons[value]} />,
        name: names[value],
      }))}
      onChoose={(chosen) => {
        theme.value = chosen;
      }}
    />
  );
}

function ThemeButton() {
  const name = `${common.theme}: ${themeNames()[theme.value]}`;
  return (
    <IconButton
      icon={themeIcons[theme.value]}
      label={name}
      onClick={() => {
        theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system';
      }}
    />
  );
}

/**
 * A page whose code is loaded when it is opened first.
 * @example const ActivityPage = lazyPage(async () => (await import('./activity-page.tsx')).ActivityPage);
 */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyPage(props: Props) {
    const [Page, setPage] = useState<{ of: ComponentType<Props> } | undefined>(loaded && { of: loaded });
    const [failure, setFailure] = useState<unknown>();
    const start = () => {
      setFailure(undefined);
      load().then((found) => {
        loaded = found;
        setPage({ of: found });
      }, setFailure);
    };
    useEffect(() => {
      if (!loaded) start();
    }, []);
    if (Page) return <Page.of {...props} />;
    return (
      <div class="page">
        {failure === undefined ? <Skeleton /> : <ErrorNotice error={asApiError(failure)} onRetry={start} />}
      </div>
    );
  };
}

/** Scrolls an element to the top of the window when its subject changes and it begins in the lower half of the window. */
export function useInView(subject: unknown) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const top = element.current?.getBoundingClientRect().top ?? 0;
    if (top > innerHeight / 2) element.current?.scrollIntoView();
  }, [subject]);
  return element;
}
