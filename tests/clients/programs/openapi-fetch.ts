import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type { paths } from './client/schema';

const { URL: baseUrl = '', CLIENT: client_id = '', PASSWORD: password = '' } = process.env;
const gallery = { facegallery_id: 'openapi-fetch' };
const ani = { ...gallery, user_id: 'ani', user_name: 'Ani' };
const picture = (name: string) => readFileSync(name, 'base64');

async function use() {
  const login = createClient<paths>({ baseUrl });
  const { data: token } = await login.POST('/oauth/client/token', { body: { client_id, password } });
  const api = createClient<paths>({ baseUrl, headers: { Accesstoken: token?.access_token } });

  await api.POST('/face-api/facegallery/create-facegallery', { body: gallery });
  const enrolled = await api.POST('/face-api/facegallery/enroll-face', {
    body: { ...ani, image: picture('ani.jpg') },
  });
  console.log('enrolled:', enrolled.data?.status);
  const verified = await api.POST('/face-api/facegallery/verify-face', {
    body: { ...ani, image: picture('again.jpg') },
  });
  console.log('verified:', verified.data?.verified);
  for (const name of ['again.jpg', 'budi.jpg']) {
    const { data: found } = await api.POST('/face-api/facegallery/identify-face', {
      body: { ...gallery, image: picture(name) },
    });
    // A miss has no people: the answers are told apart by their status.
    const people = found?.status === '200' ? found.return.map(({ user_name }) => user_name) : [];
    console.log(`${name}:`, found?.status, ...people);
  }
  const listed = await api.GET('/face-api/facegallery/list-faces', {
    params: { query: { ...gallery, limit: 10 } },
  });
  console.log('listed:', ...(listed.data?.faces ?? []).map(({ user_id }) => user_id));
  const { data: state } = await api.GET('/system-api/get-status');
  console.log('workers:', state?.engine.workers);
  const refused = await api.POST('/face-api/facegallery/enroll-face', {
    body: { ...ani, user_id: 'nobody', image: picture('nobody.jpg') },
  });
  console.log('refused:', refused.response.status, refused.error?.error);
  const left = await api.DELETE('/face-api/facegallery/delete-facegallery', { params: { query: gallery } });
  console.log('deleted:', left.data?.status);
}

void use();
