import { formatNumber } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';
import { Check } from '../../../ui/field.tsx';
import type { Options } from './use-enrolment.ts';

interface Props {
  readonly options: Options;
  /** Pixels. */
  readonly minimumFace: number;
  readonly onChange: (options: Options) => void;
}

/** What is refused, and what is not, with the rule of the size. */
export function EnrolOptions({ options, minimumFace, onChange }: Props) {
  const { enrolment } = messages.value;
  const size = formatNumber(minimumFace);
  const check = (name: keyof Options, label: string) => (
    <Check
      label={label}
      checked={options[name]}
      onChange={(checked) => onChange({ ...options, [name]: checked })}
    />
  );
  return (
    <fieldset class="stack tight">
      <legend>{enrolment.options}</legend>
      {check('check_duplicate', enrolment.duplicates)}
      {check('check_single_face', enrolment.singleFace)}
      {check('replace', enrolment.replace)}
      {check('force_register', enrolment.force(size))}
      <p class="hint">{enrolment.size(size)}</p>
    </fieldset>
  );
}
