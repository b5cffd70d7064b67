export type Language = 'en' | 'id';

/** The messages of one part of the console: name → [English, Indonesian]. */
export type Area = Readonly<Record<string, Pair<string> | Pair<(...values: never[]) => string>>>;

type Pair<Message> = readonly [english: Message, indonesian: Message];
