import { useEffect, useState } from 'preact/hooks';
import { messages } from '../../i18n/messages.ts';
import { hrefOf, pages, route } from '../../state/route.ts';
import { Icon, type IconName } from '../icon.tsx';

/** Links of the bar of a narrow window; the others are behind a button. */
const inBar = 4;

/** The pages, and the documents of the server. */
export function Navigation() {
  const [open, setOpen] = useState(false);
  const { page } = route.value;
  const { common } = messages.value;
  useEffect(() => setOpen(false), [page]);
  const links = pages.map((name) => (
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
        <Item href="/docs/guide" icon="guide" text={common.guide} />
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
