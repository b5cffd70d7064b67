import * as texts from '../looks-like.ts';
import { translated } from '../translated.ts';

export const { looksLike } = translated(texts);
