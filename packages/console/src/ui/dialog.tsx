import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { common } from '../i18n/messages.ts';
import type { ApiError } from '../state/request.ts';
import { ErrorNotice } from './notice.tsx';

/** A modal dialog. Escape closes it, and the focus returns to the element that opened it. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
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
      </div>
    </dialog>
  );
}

/** A dialog that requests confirmation before a deletion or revocation. */
export function ConfirmDialog(props: {
  title: string;
  /** Text of the button that confirms. */
  confirm: string;
  disabled: boolean;
  error?: ApiError | undefined;
  onConfirm: () => void;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const onSubmit = (event: Event) => {
    event.preventDefault();
    props.onConfirm();
  };
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form class="stack" onSubmit={onSubmit}>
        {props.children}
        {props.error && <ErrorNotice error={props.error} />}
        <div class="row end">
          <button type="button" class="button" onClick={props.onClose}>
            {common.cancel}
          </button>
          <button type="submit" class="button danger" disabled={props.disabled}>
            {props.confirm}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
