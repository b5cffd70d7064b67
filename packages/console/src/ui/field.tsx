import type { AllHTMLAttributes, ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { common } from '../i18n/messages.ts';
import { type ApiError, useRequest } from '../state/request.ts';
import { Button, type ButtonLook, type IconName } from './icon.tsx';
import { ErrorNotice, Notice } from './notice.tsx';

/**
 * The values of the fields of a form.
 * @returns `field` the properties of an input of that name; `check` those of a checkbox
 * @example <TextField label="Name" {...field('name')} />
 */
export function useFields<Values extends Readonly<Record<string, string | boolean>>>(first: Values) {
  const [values, setValues] = useState(first);
  return {
    values,
    field: (name: keyof Values) => ({
      value: String(values[name]),
      onInput: (typed: string) => setValues({ ...values, [name]: typed }),
    }),
    check: (name: keyof Values) => ({
      checked: values[name] === true,
      onChange: (checked: boolean) => setValues({ ...values, [name]: checked }),
    }),
  };
}

/** A label, its control and a hint. The control gets the ids that connect them. */
export function Field(props: {
  label: string;
  hint?: string | undefined;
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

type InputAttribute =
  | ('autocapitalize' | 'autocomplete' | 'inputmode' | 'maxLength' | 'name' | 'placeholder')
  | ('max' | 'min' | 'required' | 'spellcheck' | 'step' | 'aria-valuetext');

interface InputProps extends Pick<AllHTMLAttributes<HTMLInputElement>, InputAttribute> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly type?: 'date' | 'number' | 'password' | 'range' | 'search' | 'text';
  readonly value: string | number;
  /** Called with the value at each change. */
  readonly onInput?: (value: string) => void;
  /** Called with the value when the field is left or Enter is pressed. */
  readonly onChange?: (value: string) => void;
}

/** An input with its label and hint. */
export function InputField({ label, hint, onInput, onChange, ...given }: InputProps) {
  // Preact's types tell the roles of an input by its type, which is not known here.
  const attributes: object = { type: 'text', autocomplete: 'off', ...given };
  return (
    <Field
      label={label}
      hint={hint}
      control={(ids) => (
        <input
          {...ids}
          {...attributes}
          onInput={(event) => onInput?.(event.currentTarget.value)}
          onChange={(event) => onChange?.(event.currentTarget.value)}
        />
      )}
    />
  );
}

/** Characters of a line at most, the server's limit. */
const maxLength = 120;
/** For identifiers, which a keyboard must not correct. */
const asTyped = { autocapitalize: 'none', spellcheck: false } as const;

/** A line that is required unless it says otherwise. */
export function TextField(props: InputProps & { identifier?: boolean; optional?: boolean }) {
  const { identifier, optional, ...input } = props;
  return <InputField required={!optional} maxLength={maxLength} {...(identifier && asTyped)} {...input} />;
}

/** A whole number from 1 on, or nothing: of days, unless `max` says otherwise. */
export function CountField(props: InputProps) {
  return <InputField type="number" min="1" max="36500" step="1" inputmode="numeric" {...props} />;
}

/** An identifier that filters a list. An answer that arrives meanwhile keeps what is typed. */
export function FilterField(props: { label: string; value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(props.value);
  useEffect(() => setTyped(props.value), [props.value]);
  return (
    <InputField
      label={props.label}
      type="search"
      maxLength={maxLength}
      {...asTyped}
      value={typed}
      onInput={setTyped}
      onChange={(value) => props.onChange(value.trim())}
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
  hint?: string | undefined;
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

/** A choice of several values, as checkboxes. @param props.hintOf what a value means */
export function Checks<Value extends string>(props: {
  legend: string;
  hint: string;
  values: readonly Value[];
  chosen: readonly Value[];
  hintOf?: (value: Value) => string;
  onChange: (chosen: readonly Value[]) => void;
}) {
  const { values, chosen, hintOf, onChange } = props;
  return (
    <fieldset class="stack tight">
      <legend>{props.legend}</legend>
      <p class="hint">{props.hint}</p>
      {values.map((value) => (
        <Check
          key={value}
          label={value}
          hint={hintOf?.(value)}
          checked={chosen.includes(value)}
          onChange={(on) => onChange(values.filter((one) => (one === value ? on : chosen.includes(one))))}
        />
      ))}
    </fieldset>
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
          type="button"
          class="button"
          key={value}
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

export interface FormProps<Answer> {
  /** Text of the button. */
  readonly submit: string;
  /** Its text while the call runs. */
  readonly busy?: string;
  readonly look?: ButtonLook;
  readonly icon?: IconName;
  readonly disabled?: boolean;
  readonly send: (signal: AbortSignal) => Promise<Answer>;
  readonly onAnswer?: ((answer: Answer) => void) | undefined;
  /** What is said beside the button after an answer. */
  readonly done?: string;
  /** What is said of a 401, where a password is sent. */
  readonly wrong?: string;
  /** What is shown of a refusal in place of its sentence, and sends another call; undefined: the sentence. */
  readonly remedy?: (
    error: ApiError,
    again: (send: (signal: AbortSignal) => Promise<Answer>) => void,
  ) => ComponentChildren | undefined;
  /** With a button that cancels, as in a dialog. */
  readonly onCancel?: () => void;
  readonly children?: ComponentChildren;
}

/** A form that sends a call. Its refusal is above the button. */
export function Form<Answer>(props: FormProps<Answer>) {
  const call = useRequest<Answer>();
  const { busy, answer, error } = call;
  const isWrong = error?.http === 401 && props.wrong !== undefined;
  const remedy = error && props.remedy?.(error, (send) => void call.run(send, props.onAnswer));
  const button = (
    <Button submit look={props.look} icon={props.icon} disabled={busy || props.disabled === true}>
      {(busy && props.busy) || props.submit}
    </Button>
  );
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void call.run(props.send, props.onAnswer);
      }}
    >
      {props.children}
      {remedy}
      {error && !isWrong && !remedy && <ErrorNotice error={error} />}
      {isWrong && (
        <Notice tone="bad" alert>
          {props.wrong}
        </Notice>
      )}
      {props.onCancel && (
        <div class="row end">
          <Button onClick={props.onCancel}>{common.cancel}</Button>
          {button}
        </div>
      )}
      {props.done !== undefined && (
        <div class="row">
          {button}
          <span class="hint" role="status">
            {!busy && answer !== undefined && !error ? props.done : ''}
          </span>
        </div>
      )}
      {!props.onCancel && props.done === undefined && button}
    </form>
  );
}
