import type { ComponentChildren } from 'preact';

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
