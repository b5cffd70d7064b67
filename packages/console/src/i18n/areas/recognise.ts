import * as texts from '../recognise.ts';
import { translated } from '../translated.ts';

export const { door, recognise } = translated(texts);
