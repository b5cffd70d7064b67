import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, phone } from './chromium.ts';
import { type ConsoleServer, signedIn, startConsole, unexpectedErrors } from './console-server.ts';
import { reached } from './example-page.ts';
import { cameraScript, drawnFilm } from './film-camera.ts';

const MINUTES = 60_000;

describe.runIf(chromiumPath)('liveness in the console', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startConsole(), launchChromium()]);
  });

  /** The page Liveness, with a head before the camera. */
  async function liveness(size: typeof desktop) {
    const { page, errors } = await signedIn(browser, server, size, '#/liveness');
    await page.evaluate(cameraScript(await drawnFilm()));
    await page.getByLabel('Steps between the first and the last frontal step').selectOption('2');
    return { page, errors };
  }

  it('passes a person who does the steps, and enrols them into a gallery that requires liveness', async () => {
    await server.call('/face-api/facegallery/create-facegallery', {
      facegallery_id: 'door',
      require_liveness: true,
    });
    const { page, errors } = await liveness(phone);
    await page.getByRole('button', { name: 'Start' }).click();
    await reached(page, 'passed', 5 * MINUTES);
    await page.getByRole('heading', { name: 'Results of the steps' }).waitFor();
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'Yes' }).count()).toBe(4);
    await expect.poll(() => page.getByLabel('Gallery').inputValue()).toBe('door');
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await page.getByLabel('Name', { exact: true }).fill('Ani');
    await page.getByLabel('User ID').fill('3174001');
    await page.getByRole('button', { name: 'Enrol 1 person' }).click();
    await page.getByText('Ani is enrolled. The token is used.').waitFor();
    const { faces } = await server.call('/face-api/facegallery/list-faces', { facegallery_id: 'door' });
    expect(faces).toEqual([{ user_id: '3174001', user_name: 'Ani' }]);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('reports why another person is refused', async () => {
    const budi = { facegallery_id: 'demo@trial', user_id: 'b-1', user_name: 'Budi' };
    const image = server.base64('budi');
    await server.call('/face-api/facegallery/enroll-face', { ...budi, image });
    const { page, errors } = await liveness(desktop);
    await page.getByText('The model pack pad is not in use on this server').waitFor();
    await page.getByLabel(/^An enrolled person/).check();
    await expect.poll(() => page.getByLabel('Gallery').inputValue()).toBe('demo@trial');
    // Nobody is taken for a person who is not chosen yet.
    await page.getByText('Choose a person').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Start' }).count()).toBe(0);
    const make = page.getByRole('button', { name: 'Make a link' });
    await expect.poll(() => make.isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Person' }).fill('bud');
    await page.getByRole('option', { name: 'Budi b-1' }).click();
    const [made] = await Promise.all([page.waitForRequest(/create-session$/), make.click()]);
    expect(made.postDataJSON()).toMatchObject({ user_id: 'b-1', facegallery_id: 'demo@trial' });
    await page.locator('.link').getByText('Budi (b-1)').waitFor();
    await page.getByRole('button', { name: 'Start' }).click();
    await reached(page, 'failed', 5 * MINUTES);
    await page.getByRole('heading', { name: 'Not passed' }).waitFor();
    await page.locator('.reasons').getByText('does not match the expected person').waitFor();
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'Yes' }).count()).toBe(4);
    await expect.poll(() => page.getByRole('heading', { name: 'Enrol with this token' }).count()).toBe(0);
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    expect(unexpectedErrors(errors)).toEqual([]);
  });
});
