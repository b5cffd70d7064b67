import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../server/test/support/rounds.ts';
import {
  type DrawnFaceOptions,
  drawnFace,
  drawnPicture,
  drawnSelfieWithCard,
  PERSONS,
  type PersonName,
  squeezedFace,
} from '../test/drawn/drawn-face.ts';
import { noise, plain } from '../test/support/pictures.ts';
import { sharedEngine } from '../test/support/shared-engine.ts';
import type { AnalyzeRequest, Attribute, Face } from './types.ts';

const names = Object.keys(PERSONS) as PersonName[];
const ALL: Attribute[] = ['embedding', 'pose', 'mask', 'quality', 'eyes', 'mouth', 'spoof'];

const engine = await sharedEngine();

const analyze = (bytes: Uint8Array, request: Partial<AnalyzeRequest> = {}) =>
  engine.analyze(bytes, { attributes: [], maxFaces: 5, search: 'fast', ...request });

async function only(options: DrawnFaceOptions, ...attributes: Attribute[]): Promise<Face> {
  const { faces } = await analyze(await drawnFace(options), { attributes });
  expect(faces).toHaveLength(1);
  return faces[0]!;
}

describe('drawn persons', () => {
  for (const person of names) {
    it(`${person} is found, and measures as drawn`, async () => {
      const face = await only({ person }, 'eyes', 'mouth', 'mask', 'unclear');
      expect(face.unclear).toEqual([]);
      expect(face.score).toBeGreaterThan(0.84);
      expect(face.meshScore).toBeGreaterThan(0.95);
      expect(face.eyes).toMatchObject({ left: { state: 'open' }, right: { state: 'open' } });
      expect(face.mouth!.state).toBe('closed');
      expect(face.mask!.worn).toBe(false);
    });
  }

  const states = ['open', 'closed'] as const;
  const expressions = names.flatMap((person) =>
    states.flatMap((leftEye) =>
      states.flatMap((rightEye) => states.map((mouth) => ({ person, leftEye, rightEye, mouth }))),
    ),
  );
  it.each(expressions)(
    '$person: left eye $leftEye, right eye $rightEye, mouth $mouth',
    async ({ person, ...drawn }) => {
      const { eyes, mouth } = await only({ person, ...drawn }, 'eyes', 'mouth');
      const seen = { leftEye: eyes!.left, rightEye: eyes!.right, mouth: mouth! };
      for (const [part, { state, score }] of Object.entries(seen)) {
        expect([part, state]).toEqual([part, drawn[part as keyof typeof drawn]]);
        expect(score).toBeGreaterThanOrEqual(0.5);
        expect(score).toBeLessThanOrEqual(1);
      }
    },
  );

  it('a mask is seen, and hides the mouth', async () => {
    const face = await only({ person: 'budi', mask: true }, 'mask', 'mouth');
    expect(face.mask!.worn).toBe(true);
    expect(face.mouth).toEqual({ state: 'masked', score: face.mask!.score });
  });

  it('sunglasses cover the eyes, which are neither open nor closed', async () => {
    const { eyes, unclear } = await only({ person: 'budi', sunglasses: true }, 'eyes', 'unclear');
    const [rule] = unclear!;
    expect(rule).toMatchObject({ name: 'eyes', passed: false, reason: expect.stringMatching(/sunglasses/) });
    const covered = { state: 'covered', score: rule!.value };
    expect(eyes).toEqual({ left: covered, right: covered });
  });

  it('a tilt towards the own left shoulder is a positive roll', async () => {
    for (const tilt of [-25, 0, 25]) {
      const { pose } = await only({ person: 'ani', tilt }, 'pose');
      expect(Math.abs(pose!.roll - tilt)).toBeLessThan(4);
      expect(Math.abs(pose!.yaw)).toBeLessThan(8);
    }
  });

  it('pictures of a person match in other light, size, tilt and expression; impostor pairs do not', async () => {
    const looks: DrawnFaceOptions[] = [
      {},
      { brightness: 0.7, mouth: 'open' },
      { width: 300, height: 360, tilt: 10 },
    ];
    const templates = new Map<PersonName, Float32Array[]>();
    for (const person of names) {
      const faces = [];
      for (const look of looks) faces.push(await only({ person, ...look }, 'embedding'));
      templates.set(
        person,
        faces.map(({ embedding }) => embedding!),
      );
    }
    for (const [person, own] of templates) {
      for (const [other, theirs] of templates) {
        const similarities = own.flatMap((a) =>
          theirs.filter((b) => b !== a).map((b) => engine.similarity(a, b)),
        );
        const label = `${person} and ${other}`;
        if (person === other) expect([label, Math.min(...similarities) > 0.75]).toEqual([label, true]);
        else expect([label, Math.max(...similarities) < 0.6]).toEqual([label, true]);
      }
    }
  });
});

/** Without scores. */
const statesIn = (value: unknown) =>
  JSON.stringify(value, (key, part) => (key === 'score' ? undefined : part));

describe('the result', () => {
  it('has only the requested attributes', async () => {
    const bytes = await drawnFace({});
    const always = ['box', 'landmarks', 'meshScore', 'score'];
    for (const attribute of ALL) {
      const [face] = (await analyze(bytes, { attributes: [attribute] })).faces;
      expect(Object.keys(face!).sort()).toEqual([...always, attribute].sort());
    }
    expect(Object.keys((await analyze(bytes)).faces[0]!).sort()).toEqual(always);
  });

  it('is the same for each attribute alone as for all together', async () => {
    const bytes = await drawnFace({ person: 'citra' });
    const [together] = (await analyze(bytes, { attributes: ALL })).faces;
    for (const attribute of ALL) {
      const [alone] = (await analyze(bytes, { attributes: [attribute] })).faces;
      const [one, other] = [alone![attribute], together![attribute]];
      // Passes whose result is clear are left out, unless another attribute needs them.
      if (attribute === 'eyes' || attribute === 'mouth') expect(statesIn(one)).toEqual(statesIn(other));
      else expect(one).toEqual(other);
    }
  });

  it('has a template of unit length', async () => {
    const { embedding } = await only({}, 'embedding');
    expect(embedding).toHaveLength(engine.embeddingSpec.dimensions);
    expect(Math.hypot(...embedding!)).toBeCloseTo(1, 5);
  });

  it('has positions in the upright full-size picture, whatever was kept or stored', async () => {
    const at = { person: 'budi', x: 1200, y: 1400, size: 900, width: 2400, height: 3000 } as const;
    const upright = (await analyze(await drawnFace(at))).faces[0]!;
    const [right, left, nose, mouthRight, mouthLeft] = upright.landmarks;
    expect(right.x).toBeLessThan(left.x);
    expect(Math.abs((right.x + left.x) / 2 - 1200)).toBeLessThan(25);
    expect(Math.abs((right.y + left.y) / 2 - 1400)).toBeLessThan(25);
    expect(nose.y).toBeGreaterThan(right.y);
    expect(mouthRight.x).toBeLessThan(mouthLeft.x);
    expect(upright.box.width).toBeGreaterThan(500);
    const { image, faces } = await analyze(await drawnFace({ ...at, orientation: 6 }));
    expect(image).toEqual({ width: 2400, height: 3000, format: 'jpeg' });
    expect(Math.abs(faces[0]!.box.x - upright.box.x)).toBeLessThan(30);
    expect(Math.abs(faces[0]!.box.y - upright.box.y)).toBeLessThan(30);
  });
});

describe('detection', () => {
  it('the most prominent comes first, and those beyond the maximum are counted', async () => {
    const bytes = await drawnPicture({
      width: 1200,
      height: 600,
      faces: [
        { person: 'ani', x: 200, y: 260, size: 260 },
        { person: 'budi', x: 620, y: 260, size: 340 },
        { person: 'citra', x: 1020, y: 260, size: 220 },
      ],
    });
    const all = await analyze(bytes);
    expect(all.faces.map(({ box }) => Math.floor((box.x + box.width / 2) / 400))).toEqual([1, 0, 2]);
    const one = await analyze(bytes, { maxFaces: 1 });
    expect([one.faces.length, one.found]).toEqual([1, 3]);
    expect(one.faces[0]!.box).toEqual(all.faces[0]!.box);
  });

  it('a thorough search finds the small face on a card', async () => {
    const { faces } = await analyze(await drawnSelfieWithCard(), { search: 'thorough' });
    expect(faces).toHaveLength(2);
    expect(faces[0]!.box.width).toBeGreaterThan(3 * faces[1]!.box.width);
  });

  it('a small face alone in a large picture', async () => {
    const bytes = await drawnPicture({ width: 1600, height: 1200, faces: [{ x: 300, y: 300, size: 90 }] });
    const { faces } = await analyze(bytes);
    expect(faces).toHaveLength(1);
    expect(Math.abs(faces[0]!.landmarks[2].x - 300)).toBeLessThan(10);
  });

  it('a face that fills the frame', async () => {
    const face = await only({ person: 'budi', width: 400, height: 400, size: 640, y: 180 });
    expect(face.box.width).toBeGreaterThan(330);
  });

  it('a picture without a face has an empty list', async () => {
    for (const bytes of [
      await plain(400, 300, '#88aa88'),
      await noise('png'),
      await plain(1, 1, '#ffffff'),
    ]) {
      expect(await analyze(bytes)).toMatchObject({ faces: [], found: 0 });
    }
  });

  it('pictures of any shape are accepted', async () => {
    const side = fc.integer({ min: 1, max: 40 });
    await fc.assert(
      fc.asyncProperty(side, side, fc.constantFrom(1, 200), async (width, height, stretch) => {
        const bytes = await plain(width * stretch, height, '#c09070');
        expect((await analyze(bytes, { search: 'thorough' })).found).toBe(0);
      }),
      { numRuns: rounds(3) },
    );
  });
});

describe('quality', () => {
  const failed = async (options: DrawnFaceOptions) =>
    (await only(options, 'quality')).quality!.filter(({ passed }) => !passed).map(({ name }) => name);

  it('an ordinary picture passes every rule, without reasons', async () => {
    const { quality } = await only({ person: 'ani' }, 'quality');
    expect(quality!.map(({ name }) => name)).toEqual([
      'size',
      'sharpness',
      'brightness',
      'contrast',
      'pose',
      'cropped',
      'eyes',
      'proportions',
    ]);
    for (const rule of quality!) expect([rule.name, rule.passed, rule.reason]).toEqual([rule.name, true, '']);
  });

  it('names what is wrong: blurred, dark, tiny, cut off', async () => {
    expect(await failed({ person: 'ani', blur: 9 })).toContain('sharpness');
    expect(await failed({ person: 'ani', brightness: 0.2 })).toContain('brightness');
    expect(await failed({ person: 'ani', width: 200, height: 200, size: 80 })).toContain('size');
    expect(await failed({ person: 'ani', x: 40 })).toContain('cropped');
    const { quality } = await only({ person: 'ani', blur: 9 }, 'quality');
    const rule = quality!.find(({ name }) => name === 'sharpness')!;
    expect(rule.value).toBeLessThan(rule.limit);
    expect(rule.reason).toMatch(/blurred/);
  });
});

describe('unclear', () => {
  const rulesOf = (face: Pick<Face, 'unclear'>) => face.unclear!.map(({ name }) => name);

  it('is what leaves too little of a face to tell people apart', async () => {
    expect(rulesOf(await only({ person: 'ani', blur: 9 }, 'unclear'))).toEqual(['blurred']);
    expect(rulesOf(await only({ person: 'ani', brightness: 0.06 }, 'unclear'))).toContain('dark');
  });

  it('is no dark skin in little light, which tells strangers apart', async () => {
    expect(rulesOf(await only({ person: 'darma', brightness: 0.2 }, 'unclear'))).toEqual([]);
    expect(rulesOf(await only({ person: 'budi', brightness: 0.25 }, 'unclear'))).toEqual([]);
    expect(rulesOf(await only({ person: 'budi', brightness: 0.1 }, 'unclear'))).toContain('dark');
  });

  it.each([
    ['in width', 300, 600],
    ['in height', 704, 288],
  ])('is a picture squeezed %s', async (_, width, height) => {
    const { faces } = await analyze(await squeezedFace('ani', width, height), { attributes: ['unclear'] });
    expect(rulesOf(faces[0]!)).toContain('proportions');
  });

  it('changes no template', async () => {
    const picture = { person: 'ani', width: 1900, height: 2400 } as const;
    const [plain, judged] = [await only(picture, 'embedding'), await only(picture, 'embedding', 'unclear')];
    expect(judged.embedding).toEqual(plain.embedding);
  });
});

describe('the engine in the calling thread', () => {
  it('refuses a call that was aborted before its turn', async () => {
    const stop = AbortSignal.abort();
    const call = engine.analyze(
      await drawnFace({}),
      { attributes: [], maxFaces: 1, search: 'fast' },
      { signal: stop },
    );
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
  });

  it('refuses bytes that are no picture, and accepts the next call', async () => {
    await expect(analyze(Buffer.from('GIF89a'))).rejects.toMatchObject({ code: 'imageType' });
    expect((await analyze(await drawnFace({}))).found).toBe(1);
  });
});
