import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { common } from '../i18n/messages.ts';
import { CopyButton } from './code.tsx';
import { Form, type FormProps, TextField } from './field.tsx';
import { Button, type ButtonLook, type IconName } from './icon.tsx';
import { Notice } from './notice.tsx';

/** Opens a dialog as a modal one while it is there. The focus returns to the element that opened it. */
export function useModal() {
  const element = useRef<HTMLDialogElement>(null);
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
  return element;
}

/** A modal dialog. Escape closes it. */
export function Dialog(props: {
  title: string;
  /** Text of a button that closes it. */
  dismiss?: string;
  /** What stands beside that button. */
  act?: ComponentChildren;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const titleId = useId();
  return (
    <dialog ref={useModal()} aria-labelledby={titleId} onCancel={props.onClose}>
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

/** What a button shows that opens a dialog. */
interface OpenButtonProps {
  readonly text: string;
  /** Its name for screen readers, where the text is less than that. */
  readonly label?: string | undefined;
  readonly look?: ButtonLook;
  readonly icon?: IconName | undefined;
}

/** A button with its text, and the dialog that it opens. */
export function OpenButton(props: OpenButtonProps & { children: (close: () => void) => ComponentChildren }) {
  const { text, label, look, icon, children } = props;
  return (
    <Opens
      button={(open) => (
        <Button look={look} icon={icon} aria-label={label} onClick={open}>
          {text}
        </Button>
      )}
    >
      {children}
    </Opens>
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

/** What is asked before a deletion or revocation, or is entered in a dialog. */
interface FormDialogProps<Answer> extends Omit<FormProps<Answer>, 'submit' | 'onCancel'> {
  readonly title: string;
  /** Text of the button that sends. */
  readonly confirm: string;
  /** A field and what has to be typed into it before. */
  readonly typed?: readonly [label: string, text: string];
}

/** A dialog that sends a call, and closes after its answer. */
export function FormDialog<Answer>(props: FormDialogProps<Answer> & { onClose: () => void }) {
  const { title, confirm, typed, onAnswer, onClose, children, ...form } = props;
  const [text, setText] = useState('');
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        look="danger"
        {...form}
        submit={confirm}
        disabled={form.disabled || (typed !== undefined && typed[1] !== text)}
        onCancel={onClose}
        onAnswer={(answer) => {
          onClose();
          onAnswer?.(answer);
        }}
      >
        {children}
        {typed && <TextField label={typed[0]} identifier value={text} onInput={setText} />}
      </Form>
    </Dialog>
  );
}

/** A button that deletes or revokes after a confirmation. @param props.title default: the button's label, or its text */
export function ConfirmButton<Answer>(
  props: OpenButtonProps & Omit<FormDialogProps<Answer>, 'title' | 'confirm'> & { readonly title?: string },
) {
  const { text, label, look, icon, title = label ?? text, ...form } = props;
  return (
    <OpenButton {...{ text, label, look, icon }}>
      {(close) => <FormDialog {...form} title={title} confirm={text} onClose={close} />}
    </OpenButton>
  );
}
