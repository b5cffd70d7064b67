import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { common, login } from '../i18n/messages.ts';
import { chooseLanguage, language, languages, type Theme, theme, themes } from '../state/preferences.ts';
import { fetched, useLoad } from '../state/request.ts';
import { hrefOf } from '../state/route.ts';
import { endSession, session } from '../state/session.ts';
import { Segments } from './field.tsx';
import { Button, Icon, type IconName } from './icon.tsx';
import { ErrorNotice, Skeleton } from './notice.tsx';
import { PasswordDialog } from './password.tsx';

/** The frame of every page: navigation, and the menu of the account. */
export function Shell({ navigation, children }: Record<'navigation' | 'children', ComponentChildren>) {
  return (
    <div class="shell">
      <SkipLink />
      <header class="row topbar">
        <Brand href={hrefOf('recognise')} />
      </header>
      {navigation}
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

/** What is set for this browser and the signed-in client, behind one button. */
function AccountMenu() {
  const id = useId();
  const [changing, setChanging] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  return (
    <aside class="menu" aria-label={common.account}>
      <button type="button" class="button plain" popovertarget={id}>
        <Icon name="person" />
        <span class="visually-hidden">{common.account}: </span>
        <span class="clip">{session.value?.clientId}</span>
      </button>
      <div ref={card} id={id} class="card" popover="auto">
        <PreferenceSwitches />
        <a class="button plain" href={common.guideAddress}>
          <Icon name="guide" />
          {common.guide}
        </a>
        <Button
          look="plain"
          icon="keys"
          onClick={() => {
            // Before the dialog opens, which gives the focus back to where it was.
            card.current?.hidePopover();
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
  /** The heading, where it is more than the title. */
  readonly heading?: ComponentChildren;
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

export function PageHeader({ title, lead, back, heading }: HeaderProps) {
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
      {heading ?? <h1>{title}</h1>}
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

const themeIcons: Record<Theme, IconName> = { system: 'device', light: 'sun', dark: 'moon' };

/** Language and theme. */
export function PreferenceSwitches() {
  return (
    <>
      <Segments
        label={common.language}
        value={language.value}
        options={languages.map((value) => ({
          value,
          text: value.toUpperCase(),
          name: `${value.toUpperCase()}, ${new Intl.DisplayNames(value, { type: 'language' }).of(value)}`,
        }))}
        onChoose={(chosen) => void chooseLanguage(chosen)}
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
 * @example const SystemPage = lazyPage(async () => (await import('./pages/system-page.tsx')).SystemPage);
 */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let Page: ComponentType<Props> | undefined;
  return function LazyPage(props: Props) {
    const { error, reload } = useLoad(async () => {
      Page ??= await fetched(load());
      return true;
    });
    if (Page) return <Page {...props} />;
    return <div class="page">{error ? <ErrorNotice error={error} onRetry={reload} /> : <Skeleton />}</div>;
  };
}

/** Scrolls an element to the top of the window when its subject changes and it begins in the lower half of the window. */
export function useInView<Shown extends HTMLElement = HTMLDivElement>(subject: unknown) {
  const element = useRef<Shown>(null);
  useEffect(() => {
    const top = element.current?.getBoundingClientRect().top ?? 0;
    if (top > innerHeight / 2) element.current?.scrollIntoView();
  }, [subject]);
  return element;
}
