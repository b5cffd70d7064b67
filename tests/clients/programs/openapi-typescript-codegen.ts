import { readFileSync } from 'node:fs';
import { type ApiError, Wajah } from './client';

const { URL: BASE = '', CLIENT: client_id = '', PASSWORD: password = '' } = process.env;
const gallery = { facegallery_id: 'codegen' };
const ani = { ...gallery, user_id: 'ani', user_name: 'Ani' };
const picture = (name: string) => readFileSync(name, 'base64');

async function use() {
  const requestBody = { client_id, password };
  const { access_token: TOKEN } = await new Wajah({ BASE }).oauth.clientToken({ requestBody });
  const { facegallery, face, system } = new Wajah({ BASE, TOKEN });

  await facegallery.createGallery({ requestBody: gallery });
  const enrolled = await face.enrolFace({ requestBody: { ...ani, image: picture('ani.jpg') } });
  console.log('enrolled:', enrolled.status);
  const { verified } = await face.verifyFace({ requestBody: { ...ani, image: picture('again.jpg') } });
  console.log('verified:', verified);
  for (const name of ['again.jpg', 'budi.jpg']) {
    const found = await face.identifyFace({ requestBody: { ...gallery, image: picture(name) } });
    // A miss has no people: the answers are told apart by their status.
    const people = found.status === '200' ? found.return.map(({ user_name }) => user_name) : [];
    console.log(`${name}:`, found.status, ...people);
  }
  const { faces } = await face.listFaces({ facegalleryId: gallery.facegallery_id, limit: 10 });
  console.log('listed:', ...faces.map(({ user_id }) => user_id));
  console.log('workers:', (await system.getStatus({})).engine.workers);
  await face
    .enrolFace({ requestBody: { ...ani, user_id: 'nobody', image: picture('nobody.jpg') } })
    .catch((refused: ApiError) => console.log('refused:', refused.status, refused.body.error));
  const { status } = await facegallery.deleteGallery({ facegalleryId: gallery.facegallery_id });
  console.log('deleted:', status);
}

void use();
