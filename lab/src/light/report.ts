import type { LightJudgement, LightVerdict } from '@wajah/engine';
import { plain, type ReportSection, tally } from '../measure/figure.ts';
import { personFigure } from '../measure/person-figure.ts';
import type { Presentation } from './presentations.ts';

/** Simulated challenges of one presentation at one strength of the screen's light. */
export interface SimulatedLights {
  readonly presentation: Presentation;
  /** Light of the white screen over the ambient light, mean over the face. */
  readonly strength: number;
  readonly judged: readonly { readonly person: string; readonly judgement: LightJudgement }[];
}

/** Light of a phone's white screen at 35 cm, lux: 300 cd/m² from 95 cm². */
const PHONE_LUX = 23;

/** Verdicts, median strength and tint: a section, which is a row of a table, for each presentation and strength. */
export function lightSections(simulated: readonly SimulatedLights[]): ReportSection[] {
  return simulated.map(({ presentation, strength, judged }) => {
    const row = isLit(presentation)
      ? `${presentation}, ${strength} (${Math.round(PHONE_LUX / strength)} lx)`
      : presentation;
    const isVerdict = (verdict: LightVerdict) => (one: (typeof judged)[number]) =>
      one.judgement.verdict === verdict;
    const count = (verdict: LightVerdict) => String(tally(judged, isVerdict(verdict)).events);
    return {
      title: `Lights: ${row}`,
      table: { title: 'Before the camera, strength of the light (light of the room)', row },
      figures: [
        personFigure('answered', judged, isVerdict('answered')),
        plain('not answered', count('not_answered'), ''),
        plain('cannot tell', count('cannot_tell'), ''),
        plain('median strength', median(judged.map(({ judgement }) => judgement.strength)).toFixed(3), ''),
        plain('median tint', median(judged.map(({ judgement }) => judgement.tint)).toFixed(3), ''),
      ],
    };
  });
}

/** Whether the screen lights what is before the camera. */
function isLit(presentation: Presentation): boolean {
  return presentation !== 'recording' && presentation !== 'tinted by a program';
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
