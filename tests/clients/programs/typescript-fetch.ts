import { readFileSync } from 'node:fs';
import { Configuration, FaceApi, FacegalleryApi, OauthApi, type Refusal, SystemApi } from './client';

const { URL: basePath, CLIENT: clientId, PASSWORD: password } = process.env;
const gallery = { facegalleryId: 'typescript-fetch' };
const ani = { ...gallery, userId: 'ani', userName: 'Ani' };
const picture = (name: string) => readFileSync(name, 'base64');

async function use() {
  const login = new OauthApi(new Configuration({ basePath, fetchApi: fetch }));
  const { accessToken } = await login.clientToken({ clientTokenRequest: { clientId, password } });
  const configuration = new Configuration({ basePath, fetchApi: fetch, apiKey: accessToken });
  const [galleries, faces] = [new FacegalleryApi(configuration), new FaceApi(configuration)];

  await galleries.createGallery({ createGalleryRequest: gallery });
  const enrolled = await faces.enrolFace({ enrolFaceRequest: { ...ani, image: picture('ani.jpg') } });
  console.log('enrolled:', enrolled.status);
  const { verified } = await faces.verifyFace({ verifyFaceRequest: { ...ani, image: picture('again.jpg') } });
  console.log('verified:', verified);
  for (const name of ['again.jpg', 'budi.jpg']) {
    const found = await faces.identifyFace({ identifyFaceRequest: { ...gallery, image: picture(name) } });
    console.log(`${name}:`, found.status, ...found._return.map(({ userName }) => userName));
  }
  const listed = await faces.listFaces({ ...gallery, limit: 10 });
  console.log('listed:', ...listed.faces.map(({ userId }) => userId));
  console.log('workers:', (await new SystemApi(configuration).getStatus({})).engine.workers);
  await faces
    .enrolFace({ enrolFaceRequest: { ...ani, userId: 'nobody', image: picture('nobody.jpg') } })
    .catch(async (refused: Response) => {
      const { error }: Refusal = await refused.json();
      console.log('refused:', refused.status, error);
    });
  console.log('deleted:', (await galleries.deleteGallery(gallery)).status);
}

void use();
