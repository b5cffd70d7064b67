import * as texts from '../measure.ts';
import { translated } from '../translated.ts';

export const { figures, measure } = translated(texts);
