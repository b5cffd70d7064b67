import * as texts from '../reference.ts';
import { translated } from '../translated.ts';

export const { reference } = translated(texts);
