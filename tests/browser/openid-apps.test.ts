import { beforeAll, describe, expect, it } from 'vitest';
import { wajah } from '../support/program.ts';
import { seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium } from './chromium.ts';
import {
  type ConsoleServer,
  chooseLanguage,
  goTo,
  signedIn,
  startConsole,
  unexpectedErrors,
} from './console-server.ts';

const issuer = 'https://faces.example';

describe.skipIf(!chromiumPath)('apps that sign people in, in the console', () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await startConsole({ WAJAH_OPENID: 'true', WAJAH_PUBLIC_URL: issuer });
  });

  it('are registered with their addresses, listed, and deleted after a question', async () => {
    const { page, errors } = await signedIn(await launchChromium(), server, desktop);
    await goTo(page, 'System');
    await page.getByRole('button', { name: 'Sign-in apps' }).click();
    await page.getByText('No apps of this client').waitFor();
    expect(await page.locator('dd', { hasText: issuer }).count()).toBe(1);
    const register = page.getByRole('button', { name: 'Register app' });
    expect(await register.isDisabled()).toBe(true);
    const gallery = page.getByLabel('Gallery');
    const addresses = page.getByLabel('Redirect addresses');

    // What the server refuses stays in the form.
    await gallery.fill('demo@trial');
    await addresses.fill('http://app.example/callback');
    await register.click();
    await page.getByRole('alert').getByText('Found http://app.example; allowed are').waitFor();

    await addresses.fill('https://app.example/callback\nhttps://app.example/other\n');
    await page.getByLabel('Identify without a hint').check();
    await register.click();
    const dialog = page.getByRole('dialog', { name: 'Configure the app now' });
    const shown = (await dialog.locator('pre').textContent())!;
    expect(shown).toMatch(/^issuer: https:\/\/faces\.example\nclient_id: app_\S+\nclient_secret: \S{43}$/);
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await dialog.waitFor({ state: 'detached' });
    const secret = shown.split(' ').at(-1)!;
    await expect.poll(() => page.content()).not.toContain(secret);
    expect(await addresses.inputValue()).toBe('');

    const row = page.getByRole('row').filter({ hasText: 'https://app.example/callback' });
    await expect.poll(() => row.textContent()).toContain('with a secret, also identifies, RS256');
    expect(await row.textContent()).toContain('https://app.example/other');
    const listed = await wajah(server.settings, 'openid', 'list', 'demo');
    expect(listed.out).toContain('https://app.example/other');

    await gallery.fill('demo@trial');
    await addresses.fill('http://localhost:3000/callback');
    await page.getByLabel('It keeps no secret').check();
    await page.getByLabel('Signature of ID tokens').selectOption('EdDSA');
    await register.click();
    expect(await dialog.locator('pre').textContent()).not.toContain('client_secret');
    await page.keyboard.press('Escape');
    await page.getByText('without a secret, names the person, EdDSA').waitFor();

    await page.getByRole('button', { name: 'Delete the app of https://app.example/callback' }).click();
    const removal = page.getByRole('dialog');
    await removal.getByText('It signs nobody in any longer').waitFor();
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await removal.getByRole('button', { name: 'Delete', exact: true }).click();
    await row.waitFor({ state: 'detached' });

    await page.getByLabel('Client ID').fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Client ID').fill('demo');
    await page.keyboard.press('Enter');
    await page.getByText('http://localhost:3000/callback').waitFor();
    await chooseLanguage(page, 'ID, Indonesia');
    await page.getByText('tanpa rahasia, menyebut orangnya, EdDSA').waitFor();
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    const unexpected = unexpectedErrors(errors).filter((error) => !error.includes('400 (Bad Request)'));
    expect(unexpected).toEqual([]);
  });
});

describe.skipIf(!chromiumPath)('a server that signs nobody in', () => {
  it('says so, and which settings switch it on', async () => {
    const server = await startConsole();
    const { page } = await signedIn(await launchChromium(), server, desktop);
    await goTo(page, 'System');
    await page.getByRole('button', { name: 'Sign-in apps' }).click();
    await page.getByText('WAJAH_OPENID=true').waitFor();
  });
});
