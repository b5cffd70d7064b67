/** Whether ONNX Runtime can use an execution provider on this machine. */
export interface ProviderState {
  readonly name: string;
  /** Its libraries are part of the installation. */
  readonly builtIn: boolean;
  /** Why it cannot be used; null: it ran a network. */
  readonly problem: string | null;
}

/** Providers in use, and those that were wanted and cannot be used. */
export interface ProviderUse {
  /** In the order of preference; cpu is the last. */
  readonly used: readonly string[];
  readonly missing: readonly ProviderState[];
}
