/** What makes a drawn person that person. Lengths in units of which a head is 200 high. */
export interface DrawnPerson {
  /** Skin in light, and in shadow. */
  readonly skin: readonly [light: string, shadow: string];
  readonly hair: string;
  readonly hairStyle: 'short' | 'long' | 'bald' | 'scarf';
  readonly iris: string;
  readonly lips: string;
  /** Half the width of the head at the temples, and at the jaw. */
  readonly temple: number;
  readonly jaw: number;
  /** How far the chin lies below the eyes. */
  readonly chin: number;
  /** Half the distance of the pupils; half the width and the height of an open eye. */
  readonly eyeApart: number;
  readonly eyeWide: number;
  readonly eyeHigh: number;
  /** Turn of the eyes' outer corners, upwards. */
  readonly eyeSlant: number;
  readonly browHigh: number;
  readonly browThick: number;
  readonly noseLong: number;
  readonly noseWide: number;
  readonly mouthWide: number;
  readonly lipFull: number;
  readonly beard?: string;
  readonly glasses?: string;
}

/** Persons whose templates tell them apart; a test holds them to it. */
export const PERSONS = {
  ani: {
    skin: ['#f0c9a8', '#c08a66'],
    hair: '#2a1a12',
    hairStyle: 'long',
    iris: '#3b2415',
    lips: '#b8484e',
    temple: 66,
    jaw: 44,
    chin: 92,
    eyeApart: 30,
    eyeWide: 16,
    eyeHigh: 8,
    eyeSlant: 2,
    browHigh: 20,
    browThick: 4,
    noseLong: 42,
    noseWide: 13,
    mouthWide: 22,
    lipFull: 7,
  },
  budi: {
    skin: ['#a9744f', '#6b4329'],
    hair: '#0d0a08',
    hairStyle: 'short',
    iris: '#1c0f08',
    lips: '#7d4138',
    temple: 72,
    jaw: 60,
    chin: 104,
    eyeApart: 33,
    eyeWide: 14,
    eyeHigh: 6,
    eyeSlant: -1,
    browHigh: 16,
    browThick: 8,
    noseLong: 48,
    noseWide: 21,
    mouthWide: 29,
    lipFull: 10,
    beard: '#140d09',
  },
  citra: {
    skin: ['#fbe3d4', '#d9a98f'],
    hair: '#b98a3c',
    hairStyle: 'long',
    iris: '#4a7fa8',
    lips: '#d0607a',
    temple: 62,
    jaw: 36,
    chin: 86,
    eyeApart: 27,
    eyeWide: 18,
    eyeHigh: 10,
    eyeSlant: 4,
    browHigh: 23,
    browThick: 3,
    noseLong: 36,
    noseWide: 10,
    mouthWide: 18,
    lipFull: 9,
  },
  darma: {
    skin: ['#e8b48c', '#a8714c'],
    hair: '#c9c4bd',
    hairStyle: 'bald',
    iris: '#5b6b3a',
    lips: '#a8645a',
    temple: 74,
    jaw: 54,
    chin: 98,
    eyeApart: 31,
    eyeWide: 13,
    eyeHigh: 7,
    eyeSlant: -3,
    browHigh: 18,
    browThick: 6,
    noseLong: 52,
    noseWide: 17,
    mouthWide: 27,
    lipFull: 4,
    glasses: '#20242c',
  },
  eka: {
    skin: ['#7a4a2e', '#452515'],
    hair: '#3d5a80',
    hairStyle: 'scarf',
    iris: '#150b06',
    lips: '#8c3b3b',
    temple: 64,
    jaw: 48,
    chin: 90,
    eyeApart: 29,
    eyeWide: 17,
    eyeHigh: 9,
    eyeSlant: 0,
    browHigh: 19,
    browThick: 5,
    noseLong: 40,
    noseWide: 19,
    mouthWide: 25,
    lipFull: 12,
  },
} as const satisfies Record<string, DrawnPerson>;

export type PersonName = keyof typeof PERSONS;
