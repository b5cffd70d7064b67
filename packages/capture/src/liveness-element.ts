import { LivenessError, toLivenessError } from './errors.ts';
import { presentSession } from './session/present-session.ts';
import { runSession, type SessionListener } from './session/run-session.ts';
import { type TextOverrides, textsFor } from './texts.ts';
import { type TransportSettings, transportFrom } from './transport/http-transport.ts';
import type { LivenessTransport, Session, Verdict } from './transport/protocol.ts';
import { createSound } from './view/sound.ts';
import { createView, type View } from './view/view.ts';

/** `detail` of each event. */
export interface LivenessEvents {
  /** The video plays. */
  ready: Record<string, never>;
  /** A step begins; `index` counts from 0. */
  step: {
    readonly step: string;
    readonly index: number;
    readonly total: number;
    readonly session_id: string;
  };
  passed: Verdict & { readonly session_id: string };
  /** With a verdict it is the answer of submit-session, as of `passed`; without one there is an `error`. */
  failed: Partial<Verdict> & {
    readonly session_id?: string;
    readonly reasons: readonly string[];
    readonly error?: {
      readonly code: string;
      readonly message: string;
      readonly status?: string;
      readonly retryAfter?: number;
      /** The step that was not detected in time. */
      readonly step?: string;
    };
  };
}

export type LivenessState = 'idle' | 'camera' | 'running' | 'sending' | 'passed' | 'failed' | 'error';

/** The module can be imported where HTMLElement is missing, as in server-side rendering. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * `<wajah-liveness>`: runs a liveness session with the camera of the device. The README lists attributes, properties,
 * events and parts.
 * @example
 * <wajah-liveness create-url="/liveness/create" submit-url="/liveness/submit"></wajah-liveness>
 */
export class WajahLiveness extends Base {
  static readonly observedAttributes = ['lang'];
  /** Replaces the attributes with the URLs. */
  transport: LivenessTransport | undefined;
  /** Access token for `base-url`, or a function that returns one. */
  token: TransportSettings['token'];
  /** Headers of each call, such as one against request forgery. */
  headers: Readonly<Record<string, string>> | undefined;
  #texts: TextOverrides = {};
  #state: LivenessState = 'idle';
  #view: View | undefined;
  #controller: AbortController | undefined;
  /** The one that the person has chosen. */
  #camera: string | undefined;
  readonly #sound = createSound(() => this.hasAttribute('muted'));

  get state(): LivenessState {
    return this.#state;
  }

  /** Replaces texts of the element. */
  get texts(): TextOverrides {
    return this.#texts;
  }

  set texts(overrides: TextOverrides) {
    this.#texts = overrides;
    this.#refresh();
  }

  connectedCallback(): void {
    this.#view ??= createView(
      this.shadowRoot ?? this.attachShadow({ mode: 'open' }),
      () => this.#localTexts(),
      {
        start: () => void this.start(),
        cancel: () => this.stop(),
        use: (camera) => {
          this.#camera = camera;
          void this.start();
        },
      },
    );
    this.#enter('idle');
    this.#view.start();
    // The page can set properties first.
    if (this.hasAttribute('autostart')) queueMicrotask(() => this.isConnected && void this.start());
  }

  disconnectedCallback(): void {
    this.stop();
    this.#sound.release();
  }

  attributeChangedCallback(): void {
    this.#refresh();
  }

  /** Starts a session and cancels one that runs. Resolves when it has ended; never rejects. */
  async start(): Promise<void> {
    const view = this.#view;
    if (!view || !this.isConnected) return;
    this.stop();
    const controller = new AbortController();
    this.#controller = controller;
    this.#sound.allow();
    this.#enter('camera');
    try {
      const verdict = await this.#run(view, controller.signal);
      if (this.#controller !== controller) return;
      const { liveness } = verdict;
      this.#enter(liveness);
      view.verdict(verdict, this.hasAttribute('diagnostics'));
      if (liveness === 'passed') this.#dispatch('passed', verdict);
      else this.#dispatch('failed', { reasons: [], ...verdict });
    } catch (thrown) {
      if (this.#controller === controller) this.#fail(view, toLivenessError(thrown));
    }
  }

  /** Cancels the session and closes the camera. */
  stop(): void {
    this.#controller?.abort(new LivenessError('cancelled'));
  }

  async #run(view: View, signal: AbortSignal): Promise<LivenessEvents['passed']> {
    const transport = this.transport ?? transportFrom(this);
    const screen = view.live();
    const muted = this.hasAttribute('muted');
    const shown = presentSession({ view, screen, texts: this.#localTexts(), sound: this.#sound, muted });
    let current: Session | undefined;
    const listener: SessionListener = {
      ...shown,
      ready: (cameras) => {
        shown.ready(cameras);
        this.#dispatch('ready', {});
      },
      opened: (session, seconds) => {
        current = session;
        shown.opened(session, seconds);
        this.#enter('running');
      },
      step: (index) => {
        shown.step(index);
        const { steps = [], session_id = '' } = current ?? {};
        this.#dispatch('step', { step: steps[index] ?? '', index, total: steps.length, session_id });
      },
      sending: () => {
        this.#enter('sending');
        shown.sending();
      },
    };
    try {
      const options = { transport, video: screen.video, camera: this.#camera, listener, signal };
      const { session, verdict } = await runSession(options);
      return { ...verdict, session_id: session.session_id };
    } finally {
      shown.end();
    }
  }

  #fail(view: View, thrown: LivenessError): void {
    const { code, message, details } = thrown;
    const { status, retryAfter, missed } = details;
    const error = {
      code,
      message,
      ...(status !== undefined && { status }),
      ...(retryAfter !== undefined && { retryAfter }),
      ...(missed && { step: missed.step }),
    };
    if (code === 'cancelled') {
      this.#enter('idle');
      view.start();
    } else {
      this.#enter('error');
      view.error(thrown);
    }
    this.#dispatch('failed', { reasons: [], error });
  }

  #localTexts() {
    const language = this.lang || (this.closest('[lang]')?.getAttribute('lang') ?? '');
    return textsFor(language, this.#texts);
  }

  #refresh(): void {
    if (this.#state === 'idle') this.#view?.start();
  }

  #enter(state: LivenessState): void {
    this.#state = state;
    this.setAttribute('data-state', state);
  }

  #dispatch<Name extends keyof LivenessEvents>(name: Name, detail: LivenessEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
