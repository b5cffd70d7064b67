import { type Endpoint, endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { type DrawnPicture, drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../support/requests.ts';
import { startTestApp } from '../../support/test-app.ts';

const server = await startTestApp({ WAJAH_MIN_FACE: '60' });
const client = await server.client({ hits: 1000, faces: 100 });
const created = await client.call(endpoints.createGallery, { facegallery_id: 'crops', keep_crops: true });
expect(created.body.status).toBe('200');

const call = async (endpoint: Endpoint, fields: object) =>
  (await client.call(endpoint, { facegallery_id: client.gallery, ...fields })).body;

const jpeg = (picture: Omit<DrawnPicture, 'format'>) => base64(drawnPicture({ ...picture, format: 'jpeg' }));
const alone = (width: number, height: number, size: number) =>
  jpeg({ width, height, faces: [{ person: 'ani', x: width / 2, y: height / 2, size }] });

/** Pictures of Ani. Of large JPEGs a coarse copy is looked at first, and a finer one where a face is small in it. */
const pictures = {
  'a small picture': await alone(640, 480, 260),
  'a large face in a large picture': await alone(2000, 1600, 900),
  'a face that the coarse copy just suffices for': await alone(2000, 1600, 360),
  'a small face in a large picture': await alone(2000, 1600, 190),
  'a face that a copy between both suffices for': await alone(4200, 3360, 790),
  'a large face before a small one': await jpeg({
    width: 2400,
    height: 1800,
    faces: [
      { person: 'ani', x: 1100, y: 850, size: 800 },
      { person: 'budi', x: 2000, y: 900, size: 180 },
    ],
  }),
};

/** Ways to enrol a picture, and the galleries that they enrol it in. */
const ways: Readonly<Record<string, [gallery: string, fields: object]>> = {
  plain: [client.gallery, {}],
  'with its quality': [client.gallery, { check_quality: true, check_single_face: false }],
  'with its crop': ['crops', {}],
  'with crop and quality': ['crops', { check_quality: true }],
};

describe.each(Object.entries(pictures))('%s is the same whatever is asked for', (_, image) => {
  const others = { force_register: true, if_exists: 'replace' };
  it.each(Object.entries(ways))('enrolled %s', async (_, [facegallery_id, fields]) => {
    const user = { user_id: 'ani', facegallery_id };
    const enrolled = await client.enrol('ani', image, { facegallery_id, ...others, ...fields });
    expect(enrolled.body.status).toBe('200');
    const similarities = {
      verify: (await call(endpoints.verifyFace, { ...user, image })).similarity,
      identify: (await call(endpoints.identifyFace, { ...user, image })).return[0].confidence_level,
      several: (await call(endpoints.identifyFace, { ...user, image, faces: 5 })).return[0].confidence_level,
      thorough: (await call(endpoints.identifyFace, { ...user, image, thorough: true })).return[0]
        .confidence_level,
      states: (await judged({ ...user, image }, false)).similarity,
      spoof: (await judged({ ...user, image }, true)).similarity,
    };
    expect(similarities).toEqual(Object.fromEntries(Object.keys(similarities).map((name) => [name, 1])));
  });

  it('compared with itself', async () => {
    const { similarity } = await call(endpoints.compareImages, { source_image: image, target_image: image });
    expect(similarity).toBe(1);
  });
});

async function judged(fields: object, spoof_detection: boolean) {
  const face_parameters = { angle: 'front', eyes: 'open', mouth: 'closed', spoof_detection };
  return (await call(endpoints.verifyLiveness, { ...fields, face_parameters })).results;
}

it('the person who shows a card has the template of an ordinary picture', async () => {
  const person = { person: 'ani', x: 900, y: 900, size: 1000 } as const;
  const card = { person: 'ani', x: 1150, y: 2000, size: 260 } as const;
  const shown = { width: 1800, height: 2400, faces: [person, card], cards: [{ face: 1 }] };
  const image = await jpeg(shown);
  const enrolled = await client.call(endpoints.enrolFaceKtp, {
    facegallery_id: client.gallery,
    user_id: 'with-card',
    user_name: 'Ani',
    image,
  });
  expect(enrolled.body.status).toBe('200');
  const { similarity } = await call(endpoints.verifyFace, { user_id: 'with-card', image });
  expect(similarity).toBe(1);
});
