import { messages } from '../../i18n/messages.ts';
import { Code, CopyButton } from '../code.tsx';
import { curlText, jsonText, requestText, type SentCall } from './call-text.ts';

/** The request, its answer and the same call as a command, each with a button that copies it. */
export function CallView({ call }: { call: SentCall }) {
  const { recognise } = messages.value;
  return (
    <div class="stack">
      <Part title={recognise.curl} text={curlText(location.origin, call)} hint={recognise.curlHint} />
      <Part
        title={recognise.request}
        text={`POST ${call.path}\n\n${requestText(call)}`}
        copied={requestText(call)}
      />
      <Part title={recognise.answer} text={jsonText(call.answer)} />
    </div>
  );
}

/** @param props.copied what the button copies; by default the text */
function Part(props: { title: string; text: string; copied?: string; hint?: string }) {
  const { recognise } = messages.value;
  return (
    <section class="stack tight">
      <div class="row between">
        <h3>{props.title}</h3>
        <CopyButton text={props.copied ?? props.text} name={recognise.copy(props.title)} />
      </div>
      <Code text={props.text} label={props.title} />
      {props.hint !== undefined && <p class="hint">{props.hint}</p>}
    </section>
  );
}
