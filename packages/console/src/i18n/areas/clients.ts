import * as texts from '../clients.ts';
import { translated } from '../translated.ts';

export const { clients } = translated(texts);
