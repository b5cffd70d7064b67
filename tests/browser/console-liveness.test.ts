import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngineInThread } from '@wajah/engine';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { filmOf } from '../../packages/server/test/support/film.ts';
import { cleanUp } from '../support/program.ts';
import { seriousProblems } from './accessibility.ts';
import { chromiumPath, desktop } from './chromium.ts';
import { type ConsoleStand, launchWithPicture, signedIn, startConsole } from './console-stand.ts';

const MINUTES = 60_000;
vi.setConfig({ testTimeout: 3 * MINUTES, hookTimeout: 3 * MINUTES });

type Film = Awaited<ReturnType<typeof filmOf>>;

describe.skipIf(!chromiumPath)('liveness in the console', () => {
  let stand: ConsoleStand;
  let film: Film;
  beforeAll(async () => {
    stand = await startConsole();
    const image = { maxBytes: 20 << 20, maxPixels: 50e6 };
    const engine = await openEngineInThread({ cacheDir: join(tmpdir(), 'wajah-test-models'), image });
    film = await filmOf(engine, 'ani');
  });
  afterAll(cleanUp);

  it('enrols who passes into a gallery that wants a proof', async () => {
    await stand.call('/face-api/facegallery/create-facegallery', {
      facegallery_id: 'door',
      require_liveness: true,
    });
    const browser = await launchWithPicture(stand, 'ani');
    const { page } = await signedIn(browser, stand, desktop, '#/liveness');
    await page.context().grantPermissions(['camera']);
    // Nobody looks before the verdict, so every step is taken as it comes.
    await page.route('**/detect-faces', (route) => route.fulfill({ status: 429, json: { status: '429' } }));
    // The camera shows one picture for ever; what the server judges is a head that does what was asked.
    await page.route('**/submit-session', async (route) => {
      const sent = route.request().postDataJSON() as { frames: { step: string; image: string }[] };
      const firsts = sent.frames.filter(({ step }, i) => step !== sent.frames[i - 1]?.step);
      const seen = await film.frames(firsts.map(({ step }) => step));
      sent.frames = firsts.map((frame, i) => ({ ...frame, image: seen[i]!.image }));
      await route.continue({ postData: JSON.stringify(sent) });
    });
    await page.getByLabel('Steps between looking to the front').selectOption('2');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { name: 'What was judged' }).waitFor({ timeout: 2 * MINUTES });
    expect(await page.getByRole('row').filter({ hasText: 'Yes' }).count()).toBe(4);
    expect(await page.getByLabel('Gallery').inputValue()).toBe('door');
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByLabel('Name').fill('Ani');
    await page.getByLabel('User ID').fill('3174001');
    await page
      .getByLabel('Choose a picture: Enrol with this proof')
      .setInputFiles(stand.picture('ani-again'));
    await page.getByRole('button', { name: 'Enrol 1 person' }).click();
    await page.getByText('Ani is enrolled; the token is spent.').waitFor();
    const { faces } = await stand.call('/face-api/facegallery/list-faces', { facegallery_id: 'door' });
    expect(faces).toEqual([{ user_id: '3174001', user_name: 'Ani' }]);
    await browser.close();
  });
});
