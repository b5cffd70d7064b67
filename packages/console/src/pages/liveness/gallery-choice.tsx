import { words } from '../../i18n/words.ts';
import { Field } from '../../ui/field.tsx';

/** One of the client's galleries. */
export function GalleryChoice(props: {
  names: readonly string[];
  value: string;
  onChange: (name: string) => void;
}) {
  return (
    <Field
      label={words.value.liveness.gallery}
      control={(ids) => (
        <select {...ids} value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
          {props.names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    />
  );
}
