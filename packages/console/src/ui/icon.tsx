import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

/** SVG paths on a grid of 24 × 24. */
const strokes = {
  sound: 'M4 9.500h3.500L12 6v12l-4.500-3.500H4zM15.500 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11',
  mute: 'M4 9.500h3.500L12 6v12l-4.500-3.500H4zM16 10l4 4M20 10l-4 4',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  recognise:
    'M9.500 4a3.200 3.200 0 1 0 0 6.400 3.200 3.200 0 0 0 0-6.400zM3.500 19c.4-3.600 2.700-5.500 6-5.500 1.200 0 2.200.2 3 .7M16.200 12.500a3.200 3.200 0 1 0 0 6.400 3.200 3.200 0 0 0 0-6.400zM18.600 18l2.400 2.500',
  measure:
    'M4 8V6a2 2 0 0 1 2-2h2M16 4h2a2 2 0 0 1 2 2v2M20 16v2a2 2 0 0 1-2 2h-2M8 20H6a2 2 0 0 1-2-2v-2M9 9.500v1M15 9.500v1M9 14.500c.8 1 1.800 1.500 3 1.500s2.200-.5 3-1.500',
  galleries: 'M4 5h6v6H4zM14 5h6v6h-6zM4 15h6v5H4zM14 15h6v5h-6z',
  liveness:
    'M3 12s3.500-6 9-6 9 6 9 6-3.500 6-9 6-9-6-9-6zM12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z',
  chart: 'M4 4v16h16M8 15l3.500-4.500 3 2.500L20 7',
  keys: 'M8 12.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM10.500 13.500 19 5M16 8l2.500 2.500M13.500 10.500l1.500 1.500',
  clients:
    'M9 5a3.200 3.200 0 1 0 0 6.400A3.200 3.200 0 0 0 9 5zM3 19c.4-3.500 2.500-5.200 6-5.200s5.600 1.700 6 5.200M15.500 5.300a3.200 3.200 0 0 1 0 5.800M17 14c2.300.5 3.700 2.100 4 5',
  system: 'M4 5h16v6H4zM4 14h16v5H4zM7.500 8h.01M7.500 16.500h.01M12 8h5M12 16.500h5',
  reference: 'M8.500 7 4 12l4.500 5M15.500 7 20 12l-4.500 5M13.500 5l-3 14',
  guide:
    'M12 6.500C10 5 7 4.500 4 4.800V18c3-.3 6 .2 8 1.700 2-1.500 5-2 8-1.700V4.800c-3-.3-6 .2-8 1.700zM12 6.500v13',
  more: 'M5 11.200a.8.8 0 1 0 0 1.600.8.8 0 0 0 0-1.600zM12 11.200a.8.8 0 1 0 0 1.600.8.8 0 0 0 0-1.600zM19 11.200a.8.8 0 1 0 0 1.600.8.8 0 0 0 0-1.600z',
  download: 'M12 4v11M7.500 10.500 12 15l4.500-4.500M4 17v3h16v-3',
  upload: 'M12 15V4M7.500 8.500 12 4l4.500 4.500M4 15v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3',
  camera: 'M4 8h3l1.500-2.500h7L17 8h3v11H4zM12 10a3.200 3.200 0 1 0 0 6.400 3.200 3.200 0 0 0 0-6.400z',
  good: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM8.500 12.300l2.400 2.400 4.800-5.200',
  bad: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM9 9l6 6M15 9l-6 6',
  warn: 'M12 4 21 19.500H3zM12 10v4.200M12 17h.01',
  info: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM12 11v5M12 8h.01',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  trash: 'M5 7h14M9.500 7V4.500h5V7M7 7l.8 12.500h8.400L17 7M10.200 10.500v5.500M13.800 10.500v5.500',
  back: 'M19 12H5M11 6l-6 6 6 6',
  next: 'M9 6l6 6-6 6',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  refresh: 'M19.500 12a7.500 7.500 0 1 1-2.200-5.300L19.500 9M19.500 4v5h-5',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v1.500M12 19.500V21M3 12h1.500M19.500 12H21M5.600 5.600l1 1M17.400 17.400l1 1M18.400 5.600l-1 1M6.600 17.400l-1 1',
  moon: 'M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z',
  device: 'M4 5h16v11H4zM9 20h6M12 16v4',
  leave: 'M14 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h8M11 12h10M17.500 8.500 21 12l-3.500 3.500',
  person: 'M12 4.500a3.700 3.700 0 1 0 0 7.400 3.700 3.700 0 0 0 0-7.400zM5 20c.5-4 3.200-6 7-6s6.500 2 7 6',
  search: 'M11 4.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM16 16l4.500 4.500',
} as const;

/** An icon that is no other's. */
interface OwnIcon {
  /** Its paths, as those of `strokes`. */
  readonly strokes: string;
}

export type IconName = keyof typeof strokes | OwnIcon;

/** An icon, hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.7"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={typeof name === 'string' ? strokes[name] : name.strokes} />
    </svg>
  );
}

type ButtonAttributes = Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'disabled' | 'onClick'>;

/** `main` for the first thing to do where it stands. */
export type ButtonLook = 'main' | 'danger' | 'plain' | undefined;

export function Button(
  props: ButtonAttributes & {
    look?: ButtonLook;
    icon?: IconName | undefined;
    /** Sends the form that it is in. */
    submit?: boolean;
    children: ComponentChildren;
  },
) {
  const { look, icon, submit, children, ...attributes } = props;
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={look === undefined ? 'button' : `button ${look}`}
      {...attributes}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button that shows an icon only. */
export function IconButton(props: { icon: IconName; label: string; onClick: () => void }) {
  const { icon, label, onClick } = props;
  return (
    <button type="button" class="button plain icon" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

/** A verdict with its icon. */
export function Tag({
  tone,
  children,
}: {
  tone: 'good' | 'info' | 'warn' | 'bad';
  children: ComponentChildren;
}) {
  return (
    <span class={`tag ${tone}`}>
      <Icon name={tone} />
      {children}
    </span>
  );
}
