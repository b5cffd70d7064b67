import { z } from 'zod';
import { optionalCount } from '../../fields.ts';

/** The fields by which a list, the newest first, is read page by page. */
export const before = optionalCount('`next_before` of the previous page.', 1, Number.MAX_SAFE_INTEGER);
export const nextBefore = z
  .int()
  .nullable()
  .meta({ description: '`before` of the next page; null: there is none.' });
