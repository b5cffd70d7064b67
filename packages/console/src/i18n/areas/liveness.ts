import * as texts from '../liveness.ts';
import { translated } from '../translated.ts';

export const { liveness } = translated(texts);
