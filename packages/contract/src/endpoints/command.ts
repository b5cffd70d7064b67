/** A command of `wajah` that calls an endpoint. */
export interface Command {
  /**
   * Its words, then its arguments, which are fields of the request; `client_id` is the client that the call is made for
   * where the request has no such field. By default every other field is an option of its own name.
   */
  readonly usage: string;
  /** Names of options, by field, without `--`: with the name of a value, or as a flag without one. */
  readonly options?: Readonly<Record<string, string>>;
  /** By default the summary of the endpoint. */
  readonly about?: string;
  /** Fields where nothing is given. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** What an argument that is true or false is called; `yes` and `no` by default. */
  readonly words?: readonly [forTrue: string, forFalse: string];
  readonly confirm?: Confirmation;
  /** An argument that a file may name instead, and what is asked then: the call is made for each of its people. */
  readonly file?: { readonly field: 'user_id'; readonly question: string };
  /** Field that is sent with `next_…` of the answer until a list is complete. */
  readonly follow?: string;
  /** Without a client the call is made for each. */
  readonly each?: 'client';
  /** The answer can be written into a private file. */
  readonly out?: true;
}

/** What is asked before it is done, and `--yes` answers. */
export interface Confirmation {
  /** With fields in braces; of `{a|b|nobody}` the first that is given, else the last as it is. */
  readonly question: string;
  /** It is asked only if this field is given and neither false nor null. */
  readonly when?: string;
  /** This field is then true. */
  readonly sets?: string;
}
