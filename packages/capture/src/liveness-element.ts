import { LivenessError, toLivenessError } from './errors.ts';
import { runSession } from './session/run-session.ts';
import { showRun } from './session/show-run.ts';
import { type OwnTexts, textsFor } from './texts/texts.ts';
import type { LivenessTransport, Verdict } from './transport/protocol.ts';
import { type TransportSettings, transportFrom } from './transport/transport-from.ts';
import { createSound } from './view/sound.ts';
import { createView, type View } from './view/view.ts';

/** Details of the events. */
export interface LivenessEvents {
  /** The camera runs and is shown. */
  ready: Record<string, never>;
  /** A step is asked for. `index` counts from 0. */
  step: {
    readonly step: string;
    readonly index: number;
    readonly total: number;
    readonly session_id: string;
  };
  passed: Verdict & { readonly session_id: string };
  /** With a verdict `reasons` and `results` are the server's; without one `error` says why. */
  failed: {
    readonly session_id?: string;
    readonly reasons: readonly string[];
    readonly results?: Verdict['results'];
    readonly error?: { readonly code: string; readonly message: string; readonly status?: string };
  };
}

/** What the element is doing. */
export type LivenessState = 'idle' | 'camera' | 'running' | 'sending' | 'passed' | 'failed' | 'error';

/** So that the module can be imported where there are no elements, as when pages are rendered on a server. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * `<wajah-liveness>`: runs a liveness session with the camera of the device. Attributes, properties, events and parts
 * are listed in the README of the package.
 * @example
 * <wajah-liveness create-url="/liveness/create" submit-url="/liveness/submit"></wajah-liveness>
 */
export class WajahLiveness extends Base {
  static readonly observedAttributes = ['lang'];
  /** The way to the server; counts before the attributes. */
  transport: LivenessTransport | undefined;
  /** Access token for `base-url`, or how to get one. For pages that may hold a token only. */
  token: TransportSettings['token'];
  /** Headers of every call of the attributes' transport, against request forgery say. */
  headers: Readonly<Record<string, string>> | undefined;
  #texts: OwnTexts = {};
  #state: LivenessState = 'idle';
  #view: View | undefined;
  #run: AbortController | undefined;
  readonly #sound = createSound(() => this.hasAttribute('muted'));

  get state(): LivenessState {
    return this.#state;
  }

  /** Sentences of one's own, in place of those that come with the element. */
  get texts(): OwnTexts {
    return this.#texts;
  }

  set texts(own: OwnTexts) {
    this.#texts = own;
    this.#refresh();
  }

  connectedCallback(): void {
    this.#view ??= createView(this.shadowRoot ?? this.attachShadow({ mode: 'open' }), () => this.#words(), {
      start: () => void this.start(),
      cancel: () => this.stop(),
    });
    this.#enter('idle');
    this.#view.start();
    // Properties that a page sets right after the element is there should count.
    if (this.hasAttribute('autostart')) queueMicrotask(() => this.isConnected && void this.start());
  }

  disconnectedCallback(): void {
    this.stop();
  }

  attributeChangedCallback(): void {
    this.#refresh();
  }

  /** Runs a session from the beginning; one that runs already is ended. Settles when it is over, never rejects. */
  async start(): Promise<void> {
    const view = this.#view;
    if (!view || !this.isConnected) return;
    this.#run?.abort(new LivenessError('cancelled'));
    const run = new AbortController();
    this.#run = run;
    this.#sound.allow();
    this.#enter('camera');
    try {
      const verdict = await this.#runOn(view, run.signal);
      if (this.#run !== run) return;
      const { liveness } = verdict;
      this.#enter(liveness);
      view.verdict(verdict);
      const { reasons = [], results, session_id } = verdict;
      this.#tell(liveness, liveness === 'passed' ? verdict : { session_id, reasons, results });
    } catch (thrown) {
      if (this.#run === run) this.#fail(view, toLivenessError(thrown));
    }
  }

  /** Ends a session that runs, switches the camera off and shows the beginning. */
  stop(): void {
    this.#run?.abort(new LivenessError('cancelled'));
  }

  async #runOn(view: View, signal: AbortSignal): Promise<LivenessEvents['passed']> {
    const transport = this.transport ?? transportFrom(this);
    const screen = view.live();
    const stage = { view, screen, texts: this.#words(), sound: this.#sound };
    const { watching, end } = showRun(
      { ...stage, muted: this.hasAttribute('muted') },
      {
        ready: () => this.#tell('ready', {}),
        opened: () => this.#enter('running'),
        step: (index, { steps, session_id }) =>
          this.#tell('step', { step: steps[index] ?? '', index, total: steps.length, session_id }),
      },
    );
    const sending = () => {
      this.#enter('sending');
      watching.sending();
    };
    try {
      const { video } = screen;
      const { session, verdict } = await runSession({
        transport,
        video,
        watching: { ...watching, sending },
        signal,
      });
      return { ...verdict, session_id: session.session_id };
    } finally {
      end();
    }
  }

  #fail(view: View, { code, message, status }: LivenessError): void {
    const error = { code, message, ...(status !== undefined && { status }) };
    if (code === 'cancelled') {
      this.#enter('idle');
      view.start();
    } else {
      this.#enter('error');
      view.error(new LivenessError(code, message, status));
    }
    this.#tell('failed', { reasons: [], error });
  }

  #words() {
    const around = this.lang || (this.closest('[lang]')?.getAttribute('lang') ?? '');
    return textsFor(around, this.#texts);
  }

  #refresh(): void {
    if (this.#state === 'idle') this.#view?.start();
  }

  #enter(state: LivenessState): void {
    this.#state = state;
    this.setAttribute('data-state', state);
  }

  #tell<Name extends keyof LivenessEvents>(name: Name, detail: LivenessEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
