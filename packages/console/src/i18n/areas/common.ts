import * as texts from '../common.ts';
import { translated } from '../translated.ts';

export const { common, login } = translated(texts);
