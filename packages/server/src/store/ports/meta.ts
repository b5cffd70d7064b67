/** Named values of the installation. */
export interface MetaStore {
  get(key: string): Promise<string | null>;
  /** Sets the value if the key has none. @returns the stored value */
  setIfAbsent(key: string, value: string): Promise<string>;
  /** Replaces a value. @returns false when it is not `from` any longer */
  replace(key: string, from: string, to: string): Promise<boolean>;
  /** Sets the value; null deletes it. */
  set(key: string, value: string | null): Promise<void>;
}
