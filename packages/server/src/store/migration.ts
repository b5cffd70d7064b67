/** One step of a schema. Once released it is never changed; a later one corrects it. */
export interface Migration {
  /** From 1, without gaps. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}
