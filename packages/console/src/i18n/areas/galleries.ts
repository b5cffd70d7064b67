import * as texts from '../galleries.ts';
import { translated } from '../translated.ts';

export const { enrolment, galleries, people, terms, thresholds } = translated(texts);
