import { WajahLiveness } from './liveness-element.ts';

export { type ErrorCode, LivenessError, TransportError } from './errors.ts';
export { type LivenessEvents, type LivenessState, WajahLiveness } from './liveness-element.ts';
export { languageOf, reasonTexts, type TextOverrides, type Texts, textsFor } from './texts.ts';
export { type HttpTransportOptions, httpTransport } from './transport/http-transport.ts';
export type {
  DetectAttribute,
  DetectedFace,
  Detection,
  Frame,
  LivenessTransport,
  SentFrame,
  Session,
  Step,
  StepResult,
  Verdict,
} from './transport/protocol.ts';

declare global {
  interface HTMLElementTagNameMap {
    'wajah-liveness': WajahLiveness;
  }
}

if (globalThis.customElements && !customElements.get('wajah-liveness')) {
  customElements.define('wajah-liveness', WajahLiveness);
}
