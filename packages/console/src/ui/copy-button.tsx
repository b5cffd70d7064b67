import { useState } from 'preact/hooks';
import { words } from '../i18n/words.ts';
import { Icon } from './icon.tsx';

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, name }: { text: string; name?: string }) {
  const [copied, setCopied] = useState(false);
  const { common } = words.value;
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  }
  return (
    <button type="button" class="button" onClick={() => void copy()} aria-label={name}>
      <Icon name={copied ? 'good' : 'copy'} />
      <span aria-live="polite">{copied ? common.copied : common.copy}</span>
    </button>
  );
}
