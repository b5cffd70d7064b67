import { formatClock } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Entry } from './day-log.ts';

/** Who came today. @param props.open whether it is shown where there is no room beside the picture */
export function DoorLog({ log, open }: { log: readonly Entry[]; open: boolean }) {
  const { door } = messages.value;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs the keyboard focus
    <section class={open ? 'door-log open' : 'door-log'} aria-label={door.log} tabIndex={0}>
      <h2>{door.log}</h2>
      {log.length === 0 && <p class="muted">{door.logEmpty}</p>}
      <ol>
        {log.map(({ at, person }) => (
          <li key={`${at} ${person?.user_id}`} class={person ? 'good' : 'bad'}>
            <Icon name={person ? 'good' : 'bad'} />
            <span>{person?.user_name ?? door.no}</span>
            <time class="numbers muted">{formatClock(new Date(at))}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}
