import * as texts from '../activity.ts';
import { translated } from '../translated.ts';

export const { activity } = translated(texts);
