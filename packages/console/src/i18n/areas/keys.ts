import * as texts from '../keys.ts';
import { translated } from '../translated.ts';

export const { keys } = translated(texts);
