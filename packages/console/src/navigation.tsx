import { useEffect, useState } from 'preact/hooks';
import { featurePages } from './features/pages.ts';
import { common } from './i18n/messages.ts';
import { hrefOf, route } from './state/route.ts';
import { session } from './state/session.ts';
import { Icon, type IconName } from './ui/icon.tsx';

const corePages = {
  daily: ['recognise', 'galleries', 'liveness'],
  setUp: ['keys', 'clients', 'system'],
} as const;
const [keys, ...others] = corePages.setUp;
const ofFeatures = (daily: boolean) =>
  Object.entries(featurePages).flatMap(([name, page]) => ((page.daily ?? false) === daily ? [name] : []));
const dailyPages = [...corePages.daily, ...ofFeatures(true)];
const setUpPages = [keys, ...ofFeatures(false), ...others];

type CorePage = (typeof corePages)['daily' | 'setUp'][number];

/** The page of the address; the first one where there is none of its name. */
export function currentPage(): string {
  return [...dailyPages, ...setUpPages].find((name) => name === route.value.page) ?? 'recognise';
}

export const pageName = (page: string): string => featurePages[page]?.text() ?? common[page as CorePage];

const iconOf = (page: string): IconName => featurePages[page]?.icon ?? (page as CorePage);

/** The pages of every day; those by which a server is set up stand apart, in a narrow window behind a button. */
export function Navigation() {
  const [open, setOpen] = useState(false);
  const page = currentPage();
  useEffect(() => setOpen(false), [page]);
  const links = (names: readonly string[]) =>
    names.map((name) => (
      <Item
        key={name}
        href={hrefOf(name)}
        icon={iconOf(name)}
        text={pageName(name)}
        current={name === page}
      />
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
