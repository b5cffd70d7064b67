/** How a database spells what the tables have in common. */
export interface Types {
  readonly text: string;
  /** Text that is compared by code points. */
  readonly name: string;
  readonly int: string;
  readonly real: string;
  readonly bytes: string;
  /** A number that is never used again. */
  readonly serial: string;
  /** What ends a table: of few rows that change often, of rows with sealed values, of others. */
  readonly busy: string;
  readonly sealed: string;
  readonly end: string;
  readonly zeros: string;
  /** The column of a gallery's number in the table of keys, and what ends the table of faces. */
  readonly galleryKey: string;
  readonly partitioned: string;
  /** Columns and constraints of a table of a gallery with these unique columns. */
  ofGallery(columns: string, ...unique: readonly string[]): string;
}

/**
 * With what the rows of a table are erased: a gallery (column `gallery`), a client that is unregistered or removed or only
 * one whose account is removed (`client_id`); null: the table is of the installation.
 */
type Owned =
  | {
      readonly owner: 'gallery' | 'client';
      /**
       * Columns with a user_id: a row is erased with that person. A table of a client has `gallery_id` beside it. Null: its
       * rows are of nobody.
       */
      readonly person: readonly string[] | null;
    }
  | { readonly owner: 'account' | null; readonly person?: never };

/** A table, and what the store does with its rows. Both databases have it, with the same columns but for `omit`. */
export type Table = Owned & {
  readonly name: string;
  /** Unique; the order in which rows are read. */
  readonly key: readonly string[];
  /** Sealed columns. */
  readonly sealed?: readonly string[];
  /**
   * Rows of a gallery, or that name it in `gallery_id`, that are erased in the transaction that detaches it, as those of
   * people are; keys are overwritten, and tokens revoked.
   */
  readonly atOnce?: 'key' | 'row' | 'token';
  /**
   * Of rows of people: the session by which the person is to be enrolled. It ends with the gallery, and once the person has
   * a face.
   */
  readonly link?: string;
  /** Rows that the embedded store erases in one transaction; default: 500. */
  readonly slice?: number;
  /** Of these rows only there are copies: a condition that both databases understand. */
  readonly where?: string;
  /** Column with a sequence; its last value is copied too, so that numbers are never reused. */
  readonly counter?: string;
  /** Columns that only one of the stores has. */
  readonly omit?: readonly string[];
};

/** Where sealed values are. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** SQL expressions of name, part and client_id. */
  readonly name: string;
  readonly part: string;
  readonly clientId?: string;
  readonly ofGallery?: true;
}

/** Values that are sealed under a key derived from the master key for one purpose. */
export interface DerivedColumn extends SealedColumn {
  readonly purpose: string;
  /** What a value is bound to. */
  readonly context: (row: { readonly name: string; readonly clientId: string }) => readonly string[];
}
