import { useLayoutEffect, useRef } from 'preact/hooks';
import { featurePages } from './features/pages.ts';
import { currentPage, Navigation, pageName } from './navigation.tsx';
import { LoginPage } from './pages/login-page.tsx';
import { RecognisePage } from './pages/recognise/recognise-page.tsx';
import { doorScreen } from './state/door-screen.ts';
import { leftAt, route, signInLink } from './state/route.ts';
import { session } from './state/session.ts';
import { useFilesAnywhere } from './ui/picture-input.tsx';
import { lazyPage, Shell } from './ui/shell.tsx';

// All but what a visit begins with.
const GalleriesPage = lazyPage(
  async () => (await import('./pages/galleries/galleries-page.tsx')).GalleriesPage,
);
const GalleryPage = lazyPage(async () => (await import('./pages/galleries/gallery-page.tsx')).GalleryPage);
const KeysPage = lazyPage(async () => (await import('./pages/keys-page.tsx')).KeysPage);
const SystemPage = lazyPage(async () => (await import('./pages/system-page.tsx')).SystemPage);
const ClientsPage = lazyPage(async () => (await import('./pages/clients-page.tsx')).ClientsPage);
const LivenessPage = lazyPage(async () => (await import('./pages/liveness-page.tsx')).LivenessPage);
const DoorPage = lazyPage(async () => (await import('./pages/door/door-page.tsx')).DoorPage);

/** The console: the sign-in page, or the page of the address. A screen at a door goes on without a sign-in. */
export function App() {
  useFilesAnywhere();
  const { page, item } = route.value;
  if (session.value === null && doorScreen.value && page === 'recognise' && item === 'door')
    return <DoorPage />;
  if (session.value === null || signInLink.value !== null) return <LoginPage />;
  return (
    <Shell navigation={<Navigation />}>
      <Content />
    </Shell>
  );
}

/**
 * A new page takes the focus, so that keyboard and screen reader start at its top. One to which a reader returns from a page
 * below it begins where it was left.
 */
function Content() {
  const { item, view, part } = route.value;
  const page = currentPage();
  const main = useRef<HTMLElement>(null);
  const before = useRef<string>(undefined);
  useLayoutEffect(() => {
    const { href } = location;
    if (before.current) {
      main.current?.focus();
      scrollTo(0, before.current.startsWith(`${href}/`) ? (leftAt[href] ?? 0) : 0);
    }
    before.current = href;
  }, [page, item, view, part]);
  return (
    <main id="content" ref={main} tabIndex={-1} aria-label={pageName(page)}>
      <PageContent />
    </main>
  );
}

function PageContent() {
  const { item, view, part } = route.value;
  const page = currentPage();
  const feature = featurePages[page];
  if (feature) return <feature.Page icon={feature.icon} />;
  switch (page) {
    case 'galleries':
      return item === undefined ? (
        <GalleriesPage />
      ) : (
        <GalleryPage key={item} name={item} view={view} person={part} />
      );
    case 'liveness':
      return <LivenessPage />;
    case 'keys':
      return <KeysPage />;
    case 'clients':
      return <ClientsPage />;
    case 'system':
      return <SystemPage />;
    default:
      return item === 'door' ? <DoorPage /> : <RecognisePage view={item} />;
  }
}
