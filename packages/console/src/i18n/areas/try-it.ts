import { translated } from '../translated.ts';
import * as texts from '../try-it.ts';

export const { figures, tryIt } = translated(texts);
