import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { common, login } from '../i18n/messages.ts';
import { guideAddress, type Language, language, type Theme, theme, themes } from '../state/preferences.ts';
import { asApiError } from '../state/request.ts';
import { dailyPages, hrefOf, route, setUpPages } from '../state/route.ts';
import { endSession, session } from '../state/session.ts';
import { Segments } from './field.tsx';
import { Button, Icon, type IconName } from './icon.tsx';
import { ErrorNotice, Skeleton } from './notice.tsx';
import { PasswordDialog } from './password.tsx';

/** The frame of every page: navigation, and the menu of the account. */
export function Shell({ children }: { children: ComponentChildren }) {
  return (
    <div class="shell">
      <SkipLink />
      <header class="row topbar">
        <Brand href={hrefOf('recognise')} />
      </header>
      <Navigation />
      <AccountMenu />
      {children}
    </div>
  );
}

/** Mark and name, which lead to the first page. */
export function Brand({ href }: { href: string }) {
  return (
    <a class="brand" href={href}>
      <img src="console/icon.svg" alt="" width="28" height="28" />
      Wajah
    </a>
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

/** What is set for this browser and the signed-in client, behind one button. It closes with Escape and by whatever is pressed outside. */
function AccountMenu() {
  const [open, setOpen] = useState(false);
  const [changing, setChanging] = useState(false);
  const element = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const onPress = ({ target }: Event) => element.current?.contains(target as Node) || setOpen(false);
    addEventListener('pointerdown', onPress);
    return () => removeEventListener('pointerdown', onPress);
  }, [open]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <aside
      ref={element}
      class="menu"
      aria-label={common.account}
      onKeyDown={(event) => open && event.key === 'Escape' && close()}
    >
      <button
        ref={button}
        type="button"
        class="button plain"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="person" />
        <span class="visually-hidden">{common.account}: </span>
        <span class="clip">{session.value?.clientId}</span>
      </button>
      <div class="card" hidden={!open}>
        <PreferenceSwitches />
        <a class="button plain" href={guideAddress.value}>
          <Icon name="guide" />
          {common.guide}
        </a>
        <Button
          look="plain"
          icon="keys"
          onClick={() => {
            close();
            setChanging(true);
          }}
        >
          {login.change}
        </Button>
        <Button look="plain" icon="leave" onClick={() => endSession('left')}>
          {common.signOut}
        </Button>
      </div>
      {changing && <PasswordDialog onClose={() => setChanging(false)} />}
    </aside>
  );
}

interface HeaderProps {
  readonly title: string;
  /** One sentence about the page. */
  readonly lead: string;
  /** Link to what the page is a part of. */
  readonly back?: readonly [text: string, href: string];
}

/** A page with its title. */
export function Page({ children, ...header }: HeaderProps & { children: ComponentChildren }) {
  return (
    <div class="page stack wide">
      <PageHeader {...header} />
      {children}
    </div>
  );
}

export function PageHeader({ title, lead, back }: HeaderProps) {
  useEffect(() => {
    document.title = `${title} · Wajah`;
  }, [title]);
  return (
    <header class="stack tight">
      {back && (
        <a class="up" href={back[1]}>
          <Icon name="back" />
          {back[0]}
        </a>
      )}
      <h1>{title}</h1>
      <p class="muted">{lead}</p>
    </header>
  );
}

/** Links to the parts of a page. */
export function Tabs<Name extends string>(props: {
  label: string;
  current: Name;
  tabs: readonly (readonly [name: Name, text: string, href: string])[];
}) {
  return (
    <nav class="tabs" aria-label={props.label}>
      {props.tabs.map(([name, text, href]) => (
        <a key={name} href={href} aria-current={name === props.current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** The pages of every day; those by which a server is set up stand apart, in a narrow window behind a button. */
function Navigation() {
  const [open, setOpen] = useState(false);
  const { page } = route.value;
  useEffect(() => setOpen(false), [page]);
  const links = (names: readonly (typeof dailyPages | typeof setUpPages)[number][]) =>
    names.map((name) => (
      <Item key={name} href={hrefOf(name)} icon={name} text={common[name]} current={name === page} />
    ));
  const isOperator = session.value?.operator === true;
  return (
    <nav
      class={open ? 'nav open' : 'nav'}
      aria-label={common.menu}
      onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
    >
      <ul>
        {links(dailyPages)}
        <li class="toggle">
          <button
            type="button"
            aria-expanded={open}
            data-current={setUpPages.some((name) => name === page)}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'close' : 'more'} />
            {common.setUp}
          </button>
        </li>
      </ul>
      <p id="set-up">{common.setUp}</p>
      <ul class="set-up" aria-labelledby="set-up">
        {links(setUpPages.filter((name) => name !== 'clients' || isOperator))}
        <Item href="docs" icon="reference" text={common.reference} />
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

/** Language and theme. */
export function PreferenceSwitches() {
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
      <Segments<Theme>
        label={common.theme}
        value={theme.value}
        options={themes.map((value) => ({
          value,
          text: <Icon name={themeIcons[value]} />,
          name: common[`theme_${value}`],
        }))}
        onChoose={(chosen) => {
          theme.value = chosen;
        }}
      />
    </>
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
