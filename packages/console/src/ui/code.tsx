import { useState } from 'preact/hooks';
import { messages } from '../i18n/messages.ts';
import { Icon } from './icon.tsx';

/** Copies a text to the clipboard. @param main for the first thing to do where it stands */
export function CopyButton({ text, name, main = false }: { text: string; name?: string; main?: boolean }) {
  const [copied, setCopied] = useState(false);
  const { common } = messages.value;
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  }
  return (
    <button
      type="button"
      class={main ? 'button main' : 'button'}
      onClick={() => void copy()}
      aria-label={name}
    >
      <Icon name={copied ? 'good' : 'copy'} />
      <span aria-live="polite">{copied ? common.copied : common.copy}</span>
    </button>
  );
}

/** Code that scrolls. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs the keyboard focus
    <section class="code tall" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}
