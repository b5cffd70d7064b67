import { afterAll, describe, expect, it, vi } from 'vitest';
import { long } from '../../packages/server/test/support/long.ts';
import { cleanUp, temporaryDirectory } from '../support/program.ts';
import { type ElementEvent, startExample } from './example-page.ts';
import { cameraScript, drawnFilm } from './film-camera.ts';
import { type Firefox, firefoxPath, launchFirefox } from './firefox.ts';

const MINUTES = 60_000;
vi.setConfig({ testTimeout: 7 * MINUTES });

describe.skipIf(!firefoxPath || !long)('<wajah-liveness> in Firefox', () => {
  let firefox: Firefox | undefined;
  afterAll(async () => {
    await firefox?.close();
    await cleanUp();
  });

  it('passes a person who does the steps', async () => {
    const example = await startExample();
    firefox = await launchFirefox(temporaryDirectory());
    await firefox.goto(example.url);
    await firefox.evaluate(cameraScript(await drawnFilm()));
    const event = await firefox.evaluate<ElementEvent>(`new Promise((resolve) => {
      for (const name of ['passed', 'failed']) {
        addEventListener(name, ({ detail }) => resolve({ name, ...JSON.parse(JSON.stringify(detail)) }));
      }
      void document.querySelector('wajah-liveness').start();
    })`);
    expect([event.name, event.reasons]).toEqual(['passed', undefined]);
    expect(event.liveness_token?.split('.')).toHaveLength(3);
    const shown = "document.querySelector('wajah-liveness').shadowRoot.querySelector('h2').textContent";
    expect(await firefox.evaluate(shown)).toBe('Passed');
  });
});
