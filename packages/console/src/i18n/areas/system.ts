import * as texts from '../system.ts';
import { translated } from '../translated.ts';

export const { system, units } = translated(texts);
