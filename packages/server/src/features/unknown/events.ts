import type { Subject } from '../../events/ports.ts';
import { awaited, type Gallery, row } from '../../events/row.ts';

export const unknownEvents = {
  /** A face was not identified, and is kept or was kept before; its first sight has a record. */
  face_unknown: awaited<Gallery, Subject & { unknownId: string; seen: number }>({ audit: 'none' }),
  unknown_kept: row<Gallery>(),
  /** `crops`: how many faces were shown. */
  unknown_listed: row<Gallery & { people: number; crops: number }>(),
  unknown_assigned: row<Gallery & { appended: boolean }>(),
  unknown_forgotten: row<Gallery>(),
};
