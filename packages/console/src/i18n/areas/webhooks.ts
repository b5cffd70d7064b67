import { translated } from '../translated.ts';
import * as texts from '../webhooks.ts';

export const { webhooks } = translated(texts);
