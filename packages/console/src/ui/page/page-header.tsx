import { useEffect } from 'preact/hooks';

/** Title of a page and one sentence on what it is for. */
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
