import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { common } from '../i18n/messages.ts';
import { CopyButton } from './code.tsx';
import { Form } from './field.tsx';
import { Button } from './icon.tsx';
import { Notice } from './notice.tsx';

/** A modal dialog. Escape closes it, and the focus returns to the element that opened it. */
export function Dialog(props: {
  title: string;
  /** Text of a button that closes it. */
  dismiss?: string;
  /** What stands beside that button. */
  act?: ComponentChildren;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      // After Escape the dialog is closed before it is removed, and the focus may be elsewhere by now.
      const wasOpen = dialog?.open;
      dialog?.close();
      // The browser does not restore the focus when the dialog is removed.
      if (wasOpen && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog ref={element} aria-labelledby={titleId} onCancel={props.onClose}>
      <div class="stack">
        <h2 id={titleId}>{props.title}</h2>
        {props.children}
        {props.dismiss !== undefined && (
          <div class="row end">
            <Button onClick={props.onClose}>{props.dismiss}</Button>
            {props.act}
          </div>
        )}
      </div>
    </dialog>
  );
}

/** A button with the dialog that it opens. */
export function Opens(props: {
  button: (open: () => void) => ComponentChildren;
  children: (close: () => void) => ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {props.button(() => setOpen(true))}
      {open && props.children(() => setOpen(false))}
    </>
  );
}

/** A secret that cannot be read again. */
export function ShownOnce(props: { title: string; text: string; secret: string; onClose: () => void }) {
  return (
    <Dialog
      title={props.title}
      dismiss={common.haveCopied}
      act={<CopyButton text={props.secret} main />}
      onClose={props.onClose}
    >
      <Notice tone="warn">{props.text}</Notice>
      <pre class="code wrap">{props.secret}</pre>
    </Dialog>
  );
}

/** A dialog that requests confirmation before a deletion or revocation, and closes after it. */
export function ConfirmDialog<Answer>(props: {
  title: string;
  /** Text of the button that confirms. */
  confirm: string;
  disabled?: boolean;
  send: (signal: AbortSignal) => Promise<Answer>;
  onAnswer?: (answer: Answer) => void;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const { title, confirm, onAnswer, onClose, ...form } = props;
  const done = (answer: Answer) => {
    onClose();
    onAnswer?.(answer);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form look="danger" submit={confirm} onCancel={onClose} onAnswer={done} {...form} />
    </Dialog>
  );
}
