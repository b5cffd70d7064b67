import { endpoints } from '@wajah/contract';
import { expect, it } from 'vitest';
import { newClient } from '../../support/liveness-sessions.ts';
import { startTestApp } from '../../support/test-app.ts';

const { getLivenessSession, setExpected, linkExpected, updateGallery, forgetExpected } = endpoints;

it('tells the page of an enrolment link, and nobody else, whom it enrols and what is kept', async () => {
  const server = await startTestApp();
  const client = await newClient(server);
  const of = { facegallery_id: client.gallery };
  await client.call(setExpected, { ...of, people: [{ user_id: 'e-1', user_name: 'Sri Rahayu' }] });
  const { links } = (await client.call(linkExpected, { ...of, user_ids: ['e-1'] })).body;
  const { url, session_id } = links[0];
  const secret = new URL(url).hash.split('.')[1]!;
  const ofPage = async () => (await server.call(secret, getLivenessSession, { session_id })).body;
  const enrols = { user_name: 'Sri Rahayu', facegallery_id: client.gallery, keeps_crop: false };
  expect(await ofPage()).toMatchObject({ state: 'waiting', enrols });
  await client.call(updateGallery, { ...of, keep_crops: true });
  expect(await ofPage()).toMatchObject({ enrols: { ...enrols, keeps_crop: true } });
  expect((await client.call(getLivenessSession, { session_id })).body).not.toHaveProperty('enrols');
  await client.call(forgetExpected, of);
  const ended = await ofPage();
  expect(ended).toMatchObject({ state: 'ended' });
  expect(ended).not.toHaveProperty('enrols');
});
