import { useState } from 'preact/hooks';
import { common, recognise } from '../i18n/messages.ts';
import { serverUrl } from '../state/server-url.ts';
import { curlText, jsonText, type SentCall } from './call-text.ts';
import { Button } from './icon.tsx';

/** Copies a text to the clipboard. @param main for the first thing to do where it stands */
export function CopyButton({ text, name, main = false }: { text: string; name?: string; main?: boolean }) {
  const [copied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  }
  return (
    <Button
      look={main ? 'main' : undefined}
      icon={copied ? 'good' : 'copy'}
      aria-label={name}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{copied ? common.copied : common.copy}</span>
    </Button>
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

/** The call as a command and its answer, each with a button that copies it. */
export function CallView({ call }: { call: SentCall }) {
  return (
    <div class="stack">
      <Part title={recognise.curl} text={curlText(serverUrl, call)} hint={recognise.curlHint} />
      <Part title={common.answer} text={jsonText(call.answer)} />
    </div>
  );
}

function Part(props: { title: string; text: string; hint?: string }) {
  return (
    <section class="stack tight">
      <div class="row between">
        <h3>{props.title}</h3>
        <CopyButton text={props.text} name={recognise.copy(props.title)} />
      </div>
      <Code text={props.text} label={props.title} />
      {props.hint !== undefined && <p class="hint">{props.hint}</p>}
    </section>
  );
}
