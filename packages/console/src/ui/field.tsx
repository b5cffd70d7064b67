import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

/** A label, its control and a hint. The control gets the ids that connect them. */
export function Field(props: {
  label: string;
  hint?: string;
  control: (ids: { id: string; 'aria-describedby'?: string }) => ComponentChildren;
}) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.control(props.hint === undefined ? { id } : { id, 'aria-describedby': hintId })}
      {props.hint !== undefined && (
        <p class="hint" id={hintId}>
          {props.hint}
        </p>
      )}
    </div>
  );
}

/** A line of at most 120 characters, the server's limit, that is required unless it says otherwise. */
export function TextField(props: {
  label: string;
  hint?: string;
  value: string;
  identifier?: boolean;
  optional?: boolean;
  onInput: (value: string) => void;
}) {
  const asTyped = props.identifier ? ({ autocapitalize: 'none', spellcheck: false } as const) : {};
  return (
    <Field
      label={props.label}
      {...(props.hint !== undefined && { hint: props.hint })}
      control={(ids) => (
        <input
          {...ids}
          {...asTyped}
          type="text"
          required={!props.optional}
          maxLength={120}
          autocomplete="off"
          value={props.value}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
    />
  );
}

/** An identifier that filters a list once the field is left or Enter is pressed. An answer that arrives meanwhile keeps what is typed. */
export function FilterField(props: { label: string; value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(props.value);
  useEffect(() => setTyped(props.value), [props.value]);
  return (
    <Field
      label={props.label}
      control={(ids) => (
        <input
          {...ids}
          type="search"
          maxLength={120}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => props.onChange(event.currentTarget.value.trim())}
        />
      )}
    />
  );
}

export function SelectField(props: {
  label: string;
  value: string;
  /** Values, or values with texts. */
  options: readonly (string | readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}) {
  const pairs = props.options.map((option) => (typeof option === 'string' ? [option, option] : option));
  return (
    <Field
      label={props.label}
      control={(ids) => (
        <select {...ids} value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
          {pairs.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    />
  );
}

/** A checkbox with its label and hint. */
export function Check(props: {
  label: string;
  hint?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        checked={props.checked}
        disabled={props.disabled ?? false}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{props.label}</label>
        {props.hint !== undefined && (
          <p class="hint" id={`${id}-hint`}>
            {props.hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** A choice of one option, as a row of buttons. */
export function Segments<Value extends string>(props: {
  label: string;
  value: Value;
  options: readonly { readonly value: Value; readonly text: ComponentChildren; readonly name?: string }[];
  onChoose: (value: Value) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset needs a visible legend
    <div class="segments" role="group" aria-label={props.label}>
      {props.options.map(({ value, text, name }) => (
        <button
          key={value}
          type="button"
          class="button"
          aria-pressed={value === props.value}
          aria-label={name}
          title={name}
          onClick={() => props.onChoose(value)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
